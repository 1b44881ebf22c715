// Checks that run in a page: each returns what is wrong with it, or what it found.

// Texts whose contrast is too weak, with what they are; what is switched off may be dim.
const weak = () => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const linear = (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, share, i) => sum + share * linear(c[i] / 255), 0);
  const behind = (element) => {
    const layers = [];
    for (let each = element; each; each = each.parentElement) layers.push(rgba(getComputedStyle(each).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const opacity = (element) => {
    let all = 1;
    for (let each = element; each; each = each.parentElement) all *= parseFloat(getComputedStyle(each).opacity);
    return all;
  };
  const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && !element.closest('[aria-hidden=true], [disabled], .disabled, .q-field--disabled, [inert], .g-skip, svg');
  const weak = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const check = (element, text, colour) => {
    const style = getComputedStyle(element), size = parseFloat(style.fontSize);
    const large = size >= 24 || (parseInt(style.fontWeight) >= 700 && size >= 18.66);
    const below = behind(element), ink = rgba(colour);
    ink[3] *= opacity(element);
    const [a, b] = [light(over(ink, below)), light(below)].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < (large ? 3 : 4.5)) {
      weak.push(`${contrast.toFixed(2)} ${element.tagName}.${element.className} "${text.trim().slice(0, 40)}"`);
    }
  };
  while (walk.nextNode()) {
    const text = walk.currentNode.textContent, element = walk.currentNode.parentElement;
    if (!text.trim() || !element || element.matches('script, style, noscript, option') || !seen(element)) continue;
    const box = element.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    check(element, text, getComputedStyle(element).color);
  }
  const wordless = ':is([type=range], [type=checkbox], [type=radio], [type=hidden])';
  for (const field of document.querySelectorAll(`input:not(${wordless}), textarea, select`)) {
    if (!seen(field)) continue;
    if (field.value) check(field, field.value, getComputedStyle(field).color);
    if (field.placeholder) check(field, field.placeholder, getComputedStyle(field, '::placeholder').color);
  }
  return [...new Set(weak)];
};

// What can be worked, but says not what it is; and texts of pictures that are missing.
const nameless = () => [...document.querySelectorAll(
    'input:not([type=hidden]), select, textarea, button, a[href], [role=button], [role=slider], [role=combobox], '
    + '[role=switch], [role=checkbox], [role=tab], [role=listbox], [role=spinbutton], dialog, [role=dialog], '
    + '[role=alertdialog], [role=img], img, [role=progressbar], [role=meter], canvas')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('[aria-hidden=true]'))
  .filter((each) => {
    const by = (each.getAttribute('aria-labelledby') || '').split(/\s+/).map((id) => document.getElementById(id));
    const named = [each.getAttribute('aria-label'), each.getAttribute('title'),
      ...by.map((label) => label && label.textContent),
      ...[...(each.labels || [])].map((label) => label.textContent)];
    if (each.tagName === 'IMG') { if (each.hasAttribute('alt')) return false; }
    else if (each.tagName === 'CANVAS') { if (each.closest('[aria-label], [role=img]')) return false; }
    else if (!['INPUT', 'SELECT', 'TEXTAREA', 'DIALOG'].includes(each.tagName)) named.push(each.innerText);
    if (each.querySelector && [...each.querySelectorAll('img[alt], [aria-label]')]
      .some((inner) => inner.getAttribute('alt') || inner.getAttribute('aria-label'))) return false;
    return !named.some((name) => name && name.trim());
  }).map((each) => each.outerHTML.slice(0, 160));

const headings = () => [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]
  .filter((each) => each.checkVisibility() && !each.closest('[aria-hidden=true]'))
  .map((each) => Number(each.tagName[1]));

const twice = () => { const ids = [...document.querySelectorAll('[id]')].map((each) => each.id);
  return ids.filter((id, i) => id && ids.indexOf(id) !== i) };

// Where the focus is: what it is on, where that stands, and whether one sees it.
const focus = () => {
  const on = document.activeElement;
  if (!on || on === document.body) return null;
  const drawn = (element) => {
    if (!element) return false;
    const style = getComputedStyle(element);
    return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1) || style.boxShadow !== 'none';
  };
  const around = on.closest('.q-field, .q-slider, .q-toggle, .q-checkbox, .q-radio, .q-btn, label');
  const field = around && around.querySelector('.q-field__control');
  const lit = around && around.querySelector('.q-focus-helper, .q-slider__focus-ring');
  const box = (around || on).getBoundingClientRect(), order = [];
  for (let each = on; each.parentElement; each = each.parentElement) {
    order.unshift([...each.parentElement.children].indexOf(each));
  }
  return {
    what: `${on.tagName}.${on.className} ${(on.innerText || on.getAttribute('aria-label') || '').slice(0, 40)}`,
    width: box.width, height: box.height, order, inside: on.closest('main') !== null,
    seen: drawn(on) || drawn(around) || drawn(field)
      || Boolean(lit && parseFloat(getComputedStyle(lit).opacity) > 0),
  };
};
