"""Counts ways to lay dominoes on small boards, exactly: tilings, packings, kingdoms."""
