"""Samples of stored results that anybody has played again: asked for, followed, said in words."""
