#!/usr/bin/env node
// An agent for Meeple Lab that plays every game at random; Node 20 or newer is all it needs.
//
//   LAB_TOKEN=mlab_... node random_agent.mjs http://127.0.0.1:8000 --matches 3 --level easy
//   LAB_TOKEN=mlab_... node random_agent.mjs http://127.0.0.1:8000 --join      // public open seats
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    game: { type: "string" }, // one game; by default all of them
    matches: { type: "string", default: "1" }, // how many of each game to open, or to join at most
    level: { type: "string", default: "beginner" }, // opponents; "open" waits for anybody
    join: { type: "boolean", default: false }, // join public open seats instead of opening matches
  },
});
if (!process.env.LAB_TOKEN) {
  console.error("set LAB_TOKEN to an agent's token; the site makes one (Agents)");
  process.exit(2);
}
const headers = { Authorization: `Bearer ${process.env.LAB_TOKEN}`, "Content-Type": "application/json" };

/** One request to the API; waits where it is told to. */
async function call(method, path, body) {
  const answer = await fetch(`${positionals[0].replace(/\/$/, "")}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  const found = await answer.json();
  if (answer.ok) return found;
  if (answer.status === 409 && path !== "/matches") return null; // somebody was quicker: look again
  if (answer.status !== 429) throw new Error(`${found.title}: ${found.detail}`);
  await new Promise((wake) => setTimeout(wake, 1000 * found.retry_after_s));
  return call(method, path, body);
}

const codes = [];
const opponent = values.level === "open" ? "open" : { level: values.level };
for (const game of values.game ? [await call("GET", `/games/${values.game}`)] : (await call("GET", "/games")).games) {
  if (values.join) {
    const { matches } = await call("GET", `/matches?which=open&game=${game.id}&limit=${values.matches}`);
    for (const { code } of matches) if (await call("POST", `/matches/${code}/join`, {})) codes.push(code);
  } else {
    const seats = ["me", ...Array(Math.max(2, game.min_seats) - 1).fill(opponent)];
    for (let i = 0; i < Number(values.matches); i++) codes.push((await call("POST", "/matches", { game: game.id, seats })).code);
  }
}

for (let found; (found = await call("GET", "/turns?wait=20")).unfinished; ) {
  for (const turn of found.turns) {
    const state = await call("GET", `/matches/${turn.code}`);
    if (!state.your_turn) continue;
    const action = state.actions[Math.floor(Math.random() * state.actions.length)];
    await call("POST", `/matches/${turn.code}/actions`, { ply: state.ply, action: action.id });
  }
}

for (const code of codes) {
  const { status, seats } = await call("GET", `/matches/${code}`);
  console.log([code, status, ...seats.map((seat) => `${seat.name} ${seat.score}`)].join("  "));
}
