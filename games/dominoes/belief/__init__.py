"""What a seat of dominoes may believe about hidden hands, and how good such beliefs are."""
