// Why bots moved, while the game goes on: what the server can tell without cards that one does not see. A button of the
// kibitz panel asks for it, or the page does after every move, if the setting is on; it stands in the history.

import { announce } from "./dom.js";
import { withNames } from "./seat_names.js";
import { setting } from "./settings.js";

export function liveReasons(at, requests, drawn) {
  const told = new Map(); // by turn: the text of the move, and the words for it
  let asking = false;

  const goesOn = () => typeof at.message?.as === "number" && at.message.state === "running" && at.message.options?.kibitz !== false && !at.away;

  // The moves of bots since one's own last move that nothing was told of yet.
  function unasked() {
    if (!goesOn()) return [];
    const { as, seats, turn } = at.message;
    const mine = at.events.findLastIndex((event) => event.seat === as);
    return at.events.slice(mine + 1, turn).filter((event) => seats[event.seat]?.kind === "bot" && told.get(event.turn)?.text !== event.text);
  }

  async function ask() {
    if (asking) return;
    asking = true;
    try {
      for (let [event] = unasked(); event; [event] = unasked()) {
        const { reason, unknown } = await requests.ask({ type: "why", turn: event.turn });
        const words = reason ? `Probably because: ${reason}` : unknown;
        told.set(event.turn, { text: event.text, words });
        if (!goesOn()) break; // the bots' own reasons are there
        at.reasons.set(event.turn, words);
        if (reason) announce(withNames(words, at.holders.at(event)));
        drawn();
      }
    } catch {
      // Too many questions, or no connection: all reasons are told at the end.
    }
    asking = false;
  }

  function update() {
    for (const [turn, { text, words }] of told) {
      if (at.events[turn - 1]?.text === text) continue;
      if (at.reasons.get(turn) === words) at.reasons.delete(turn); // a move that was taken back takes its reason along
      told.delete(turn);
    }
    if (setting("reasons")) ask();
  }

  addEventListener("settings", update);
  return { ask, unasked, update, leave: () => removeEventListener("settings", update) };
}
