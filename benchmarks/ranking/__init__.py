"""The leaderboard: gieok beside others, from figures that are kept."""
