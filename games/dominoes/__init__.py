"""Latin-American team dominoes: double six, four seats, two teams."""
