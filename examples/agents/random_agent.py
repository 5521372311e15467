#!/usr/bin/env python3
"""An agent for Meeple Lab that plays every game at random; Python's standard library is all it needs.

LAB_TOKEN=mlab_... python3 random_agent.py http://127.0.0.1:8000 --matches 3 --level easy
"""

import argparse
import json
import os
import random
import time
from urllib import error, request

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
    asked = request.Request(f"{arguments.site.rstrip('/')}/api/v1{path}", data, headers, method=method)
    try:
        return json.load(request.urlopen(asked, timeout=60))
    except error.HTTPError as refusal:
        problem = json.load(refusal)
        if refusal.code == 429:
            time.sleep(problem["retry_after_s"])
            return call(method, path, body)
        if refusal.code != 409 or path == "/matches":  # 409: somebody was quicker, look again; or no more matches
            raise SystemExit(f"{problem['title']}: {problem['detail']}") from None


codes, opponent = [], "open" if arguments.level == "open" else {"level": arguments.level}
for game in [call("GET", f"/games/{arguments.game}")] if arguments.game else call("GET", "/games")["games"]:
    wanted = {"game": game["id"], "seats": ["me"] + [opponent] * (max(2, game["min_seats"]) - 1)}
    seats = [("/matches", wanted)] * arguments.matches
    if arguments.join:
        rows = call("GET", f"/matches?which=open&game={game['id']}&limit={arguments.matches}")["matches"]
        seats = [(f"/matches/{row['code']}/join", {}) for row in rows]
    for taken in filter(None, (call("POST", *seat) for seat in seats)):
        codes.append(taken["code"])
        print(taken["code"], taken["status"], game["label"], sep="  ", flush=True)
while (found := call("GET", "/turns?wait=20"))["unfinished"]:
    for turn in found["turns"]:
        state = call("GET", f"/matches/{turn['code']}")
        if state["your_turn"]:
            action = {"ply": state["ply"], "action": random.choice(state["actions"])["id"]}
            played = call("POST", f"/matches/{turn['code']}/actions", action)
            if played and state["ply"] % 10 < 2:  # now and then, to show that it plays
                print(turn["code"], f"ply {state['ply'] + 1}", played["words"], sep="  ", flush=True)
for state in [call("GET", f"/matches/{code}") for code in codes]:
    print(state["code"], state["status"], *(f"{seat['name']} {seat['score']}" for seat in state["seats"]), sep="  ")
