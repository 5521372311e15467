"""Stop rules: after how many deals an experiment has said what it was asked.

A rule looks at the values of deals in their order: float64[arms, deals], for each arm the mean over the
matches of a deal, of the longest run of deals from the first on that all arms have whole. It looks after
every deal, and the first deal that satisfies it is the end. So however many workers play, in whatever order
they finish, and however seldom somebody asks, the end is the same; deals beyond it do not count.
"""
