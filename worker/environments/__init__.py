"""Environments for learning: every game for PettingZoo, for Gymnasium, and thousands of matches at once.

`table.TableEnvironment` is PettingZoo's AEC, `seat.SeatEnvironment` Gymnasium's for one seat against engines,
`batch.BatchedEnvironment` steps many matches in one compiled call. docs/learning.md says how to begin.
"""
