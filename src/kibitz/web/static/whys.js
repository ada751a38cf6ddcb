// Why bots moved as they did, while the game goes on: what the server can tell without cards that one does not see. It is
// asked for by a button of the kibitz panel, or after every move by who has the setting on, and stands in the history.

import { announce } from "./dom.js";
import { withNames } from "./people.js";
import { setting } from "./settings.js";

export function liveReasons(at, talk, drawn) {
  const told = new Map(); // by turn: the text of the move, and the words for it
  let asking = false;

  const allowed = () => typeof at.message?.as === "number" && at.message.state === "running" && at.message.options?.kibitz !== false && !at.away;

  // The moves of bots since one's own last move.
  function recent() {
    const events = at.events.slice(0, at.message.turn);
    const mine = events.findLastIndex((event) => event.seat === at.message.as);
    return events.slice(mine + 1).filter((event) => at.message.seats[event.seat]?.kind === "bot");
  }

  const unasked = () => (allowed() ? recent().filter((event) => told.get(event.turn)?.text !== event.text) : []);

  async function ask() {
    if (asking) return;
    asking = true;
    try {
      for (let event = unasked()[0]; event; event = unasked()[0]) {
        const answer = await talk.ask({ type: "why", turn: event.turn });
        const words = answer.reason ? `As far as you can know: ${answer.reason}` : answer.unknown;
        told.set(event.turn, { text: event.text, words });
        if (!allowed()) break; // the game is over, and the bot's own reasons are there
        at.reasons.set(event.turn, words);
        if (answer.reason) announce(withNames(words, at.holders.at(event)));
        drawn();
      }
    } catch {
      // Too many questions, or no connection: the reasons are told at the end anyway.
    }
    asking = false;
  }

  // A move that was taken back takes its reason along.
  function forget() {
    for (const [turn, { text, words }] of told) {
      if (at.events[turn - 1]?.text === text) continue;
      if (at.reasons.get(turn) === words) at.reasons.delete(turn);
      told.delete(turn);
    }
  }

  function update() {
    forget();
    if (setting("reasons")) ask();
  }

  const listening = () => at.message && update();
  addEventListener("settings", listening);
  return { ask, unasked, update, leave: () => removeEventListener("settings", listening) };
}
