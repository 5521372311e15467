"""Names of the settings that the environment gives, as the code reads them."""

from __future__ import annotations

import re
from functools import cache

from webapp.ops.data_folder import CHECKOUT

READ = re.compile(
    r"""\benv(?:\.\w+)?\(\s*["'](\w+)["']|\b_quota\(["'](\w+)["']|environ(?:\.get\(|\[)\s*["'](\w+)["']"""
)
OURS = ("LAB_", "LOG_", "MAIL_", "EMAIL_")
FOLDERS = ("games", "engines", "worker", "webapp")


@cache
def names() -> set[str]:
    """All that `webapp/settings.py` reads, and what other code reads by itself that begins as ours do."""
    found = set()
    for one, quota, _ in READ.findall((CHECKOUT / "webapp" / "settings.py").read_text()):
        found.add(one or f"LAB_QUOTA_{quota}")
    for folder in FOLDERS:
        for path in (CHECKOUT / folder).rglob("*.py"):
            found |= {name for *_, name in READ.findall(path.read_text()) if name.startswith(OURS)}
    return found - {""}
