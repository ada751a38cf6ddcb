// A bot in JavaScript, for Node: at `kibitz host`, or in a seat of `kibitz serve`.
//
//   kibitz host hanabi --seats open,bot2 --games 3
//   node examples/bot.mjs localhost:4000 3
//
// Messages are lines of JSON; see docs/reference/protocol.md. This bot plays a card that is certainly playable, else hints
// one to a partner, else discards. In any other game it plays the first legal move.

import net from "node:net";
import { createInterface } from "node:readline";

const [address = "localhost:4000", games = "1"] = process.argv.slice(2);
const [place, table, invitation] = address.split("/"); // HOST:PORT, or HOST:PORT/TABLE/INVITATION for a seat in the browser
const [, host, port] = place.match(/^(.*):(\d+)$/) ?? [];
if (!port) {
  console.error(`${place} is not HOST:PORT, such as localhost:4000.`);
  process.exit(2);
}
const socket = net.connect({ host: host.replace(/^\[|\]$/g, ""), port: Number(port) });
const say = (message) => socket.write(`${JSON.stringify(message)}\n`);

let mine; // the seat: its table, its number, and the token for returning to it
let view;
let played = 0;

function worth(choice) {
  const { hands } = view.view;
  if (!hands) return 0;
  const cards = hands.flat().filter((card) => choice.cards.includes(card.card));
  if (choice.action === "play") return cards[0].playable ? 3 : -1;
  if (choice.action === "hint") return cards.some((card) => card.playable && card.rank_hinted == null) ? 2 : 0;
  return cards[0].useless || !cards[0].critical ? 1 : -1;
}

const sit = () => say({ type: "sit", table, invitation });

const answers = {
  welcome: sit,
  seat: (message) => { mine = message; },
  view: (message) => {
    if (message.table !== mine.table) return;
    view = message;
    if (message.state !== "finished" && message.state !== "abandoned") return;
    console.log(message.verdict ?? "The game ended before its end.");
    if (++played < Number(games) && !table) sit();
    else socket.end();
  },
  your_turn: ({ table, turn }) => {
    if (table !== mine.table || turn !== view.turn) return;
    const best = view.choices.reduce((best, choice) => (worth(choice) > worth(best) ? choice : best));
    say({ type: "move", table, turn, move: best.move });
  },
  error: ({ code, message }) => {
    if (["stale", "not_your_turn", "over"].includes(code)) return; // too late: the table has moved on
    console.error(message);
    process.exitCode = 1;
    socket.end();
  },
  bye: ({ reason }) => { console.log(reason); socket.end(); },
};

socket.on("connect", () => say({ type: "hello", version: 2, name: "Node", program: true }));
socket.on("error", (error) => {
  const help = error.code === "ECONNREFUSED" ? ". Start a host first: kibitz host hanabi --seats open,bot2" : "";
  console.error(`No connection to ${place}: ${error.message}${help}`);
  process.exitCode = 1;
});
const lines = createInterface({ input: socket });
lines.on("error", () => {}); // reported by the socket
lines.on("line", (line) => {
  const message = JSON.parse(line);
  answers[message.type]?.(message); // messages that this bot does not know are none of its business
});
