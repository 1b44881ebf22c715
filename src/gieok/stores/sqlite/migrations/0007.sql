-- Nothing: a number that is kept free.

SELECT 1;
