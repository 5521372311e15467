#!/usr/bin/env python3
"""An agent for Meeple Lab that plays every game at random; Python's standard library is all it needs.

LAB_TOKEN=mlab_... python3 random_agent.py http://127.0.0.1:8000 --matches 3 --level easy
"""

import argparse
import json
import os
import random
import time
import urllib.error
import urllib.request

parser = argparse.ArgumentParser()
parser.add_argument("site", help="address of the lab")
parser.add_argument("--game", help="one game; by default all of them")
parser.add_argument("--matches", type=int, default=1, help="how many of each game to open, or to join at most")
parser.add_argument("--level", default="beginner", help='opponents; "open" waits for anybody')
parser.add_argument("--join", action="store_true", help="join public open seats instead of opening matches")
arguments = parser.parse_args()
token = os.environ.get("LAB_TOKEN") or parser.error("set LAB_TOKEN to an agent's token; the site makes one (Agents)")


def call(method, path, body=None):
    """One request to the API; waits where it is told to."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{arguments.site.rstrip('/')}/api/v1{path}", data, headers, method=method)
    try:
        return json.load(urllib.request.urlopen(request, timeout=60))
    except urllib.error.HTTPError as error:
        problem = json.load(error)
        if error.code == 429:
            time.sleep(problem["retry_after_s"])
            return call(method, path, body)
        if error.code != 409 or path == "/matches":  # 409: somebody was quicker, look again; or no more matches
            raise SystemExit(f"{problem['title']}: {problem['detail']}") from None


codes, opponent = [], "open" if arguments.level == "open" else {"level": arguments.level}
for game in [call("GET", f"/games/{arguments.game}")] if arguments.game else call("GET", "/games")["games"]:
    if arguments.join:
        rows = call("GET", f"/matches?which=open&game={game['id']}&limit={arguments.matches}")["matches"]
        codes += [row["code"] for row in rows if call("POST", f"/matches/{row['code']}/join", {})]
    else:
        wanted = {"game": game["id"], "seats": ["me"] + [opponent] * (max(2, game["min_seats"]) - 1)}
        codes += [call("POST", "/matches", wanted)["code"] for _ in range(arguments.matches)]

while (found := call("GET", "/turns?wait=20"))["unfinished"]:
    for turn in found["turns"]:
        state = call("GET", f"/matches/{turn['code']}")
        if state["your_turn"]:
            action = random.choice(state["actions"])
            call("POST", f"/matches/{turn['code']}/actions", {"ply": state["ply"], "action": action["id"]})

for code in codes:
    state = call("GET", f"/matches/{code}")
    print(code, state["status"], *(f"{seat['name']} {seat['score']}" for seat in state["seats"]), sep="  ")
