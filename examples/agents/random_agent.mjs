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

const say = (...words) => console.log(words.join("  "));
const codes = [];
const opponent = values.level === "open" ? "open" : { level: values.level };
for (const game of values.game ? [await call("GET", `/games/${values.game}`)] : (await call("GET", "/games")).games) {
  const wanted = { game: game.id, seats: ["me", ...Array(Math.max(2, game.min_seats) - 1).fill(opponent)] };
  const free = values.join && (await call("GET", `/matches?which=open&game=${game.id}&limit=${values.matches}`)).matches;
  const seats = free ? free.map(({ code }) => [`/matches/${code}/join`, {}]) : Array(Number(values.matches)).fill(["/matches", wanted]);
  for (const [path, body] of seats) {
    const taken = await call("POST", path, body);
    if (!taken) continue;
    codes.push(taken.code);
    say(taken.code, taken.status, game.label);
  }
}
for (let found; (found = await call("GET", "/turns?wait=20")).unfinished; ) {
  for (const turn of found.turns) {
    const { your_turn, ply, actions } = await call("GET", `/matches/${turn.code}`);
    if (!your_turn) continue;
    const action = actions[Math.floor(Math.random() * actions.length)].id;
    const played = await call("POST", `/matches/${turn.code}/actions`, { ply, action });
    if (played && ply % 10 < 2) say(turn.code, `ply ${ply + 1}`, played.words); // now and then, to show that it plays
  }
}
for (const { code, status, seats } of await Promise.all(codes.map((code) => call("GET", `/matches/${code}`)))) {
  say(code, status, ...seats.map(({ name, score }) => `${name} ${score}`));
}
