"""An experiment on Meeple Lab from the command line: started once, followed to its end, its matches fetched in parts.

    LAB_TOKEN=mlabp_… python3 experiment.py http://localhost:8000 spec.json --export matches.csv

It needs a token of your account, with the scope experiment, and nothing but Python. Ended halfway and called again it
goes on: the start has a key, and an export continues after the last whole part.
"""

import argparse
import hashlib
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path


def call(base, token, method, path, body=None, key=""):
    """What the API answers, and its headers. Asks again while a lab starts anew; ends with its sentence of refusal."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    if key:
        headers["Idempotency-Key"] = key
    data = None if body is None else json.dumps(body).encode()
    for pause_s in (1, 3, 10, 30, 0):
        try:
            asked = urllib.request.Request(f"{base}/api/v1{path}", data, headers, method=method)
            with urllib.request.urlopen(asked, timeout=60) as answer:
                return answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            if error.code not in (429, 502, 503):
                sys.exit(f"{error.code}: {json.load(error)['detail']}")
            why = f"answer {error.code}"
        except (OSError, http.client.HTTPException) as error:
            why = f"no answer: {error}"
        time.sleep(pause_s)
    sys.exit(why)


def ask(*request):
    """The JSON of an answer."""
    return json.loads(call(*request)[0])


def main():
    """Start, follow, tell, export."""
    arguments = argparse.ArgumentParser(description="Run an experiment on a lab.")
    arguments.add_argument("lab", help="address of the lab")
    arguments.add_argument("spec", type=Path, help="a spec as JSON, as a page of an experiment has it")
    arguments.add_argument("--export", type=Path, help="file for its matches, as CSV")
    asked, token = arguments.parse_args(), os.environ.get("LAB_TOKEN") or sys.exit("set LAB_TOKEN to a token")
    base, body = asked.lab.rstrip("/"), {"spec": json.loads(asked.spec.read_text()), "title": asked.spec.stem}

    plan = ask(base, token, "POST", "/experiments?dry_run=true", body)
    print(f"{plan['units']} matches, about {plan['seconds']:.0f} s")
    key = hashlib.sha256(json.dumps(body).encode()).hexdigest()
    job = ask(base, token, "POST", "/experiments", body | {"confirm": plan["confirm"]}, key)
    place = f"/experiments/{job['number']}"
    while job["status"] in ("running", "paused"):
        print(f"{job['ended']} of {job['total']}", (job["waits_for"] or {}).get("words", ""))
        job = ask(base, token, "GET", f"{place}?wait=25&version={job['version']}")
    print(ask(base, token, "GET", f"{place}/result")["answer"]["sentence"])

    if asked.export:
        done = Path(f"{asked.export}.after")  # the last match of the last whole part
        while True:
            after = int(done.read_text()) if done.exists() else 0
            part, headers = call(base, token, "GET", f"{place}/export/matches.csv?limit=1000&after={after}")
            lines = part.splitlines(keepends=True)
            with asked.export.open("ab" if after else "wb") as file:
                file.writelines(lines[1:] if after else lines)
            if "Meeple-Next" not in headers:
                done.unlink(missing_ok=True)
                break
            done.write_text(headers["Meeple-Next"])
        print(f"{asked.export} is whole")


if __name__ == "__main__":
    main()
