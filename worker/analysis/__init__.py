"""Statistics: numbers in, numbers out.

Nothing here imports anything of the lab. What is undefined (the mean of no matches, the
interval of one) is None; no function returns NaN or an infinity. The one exception are the ends of
a `ConfidenceSequence`, arrays that are infinite where nothing is known yet.
"""
