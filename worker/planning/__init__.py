"""Plans of experiments: which difference they will show, how many deals that takes, what each stop rule will cost."""
