"""Strategies of Dominion: what to buy, play and trash, as ordered rules with conditions.

`form` is the data and its checks, `encoding` and `kernels/strategy` play it, `words` tell it, `trial` plays one
against another. Nothing here is part of the rules' kernels, so a change compiles no rule anew.
"""
