// Why bots moved, during the game: reasons that use nothing hidden from the viewer. Requested by a button of the kibitz
// panel, or after every move if the setting is on; shown in the history.

import { announce } from "./dom.js";
import { withNames } from "./seat_names.js";
import { setting } from "./settings.js";

export function liveReasons(at, requests, drawn) {
  const told = new Map(); // by turn: the move's text and the words shown
  let asking = false;

  const goesOn = () => typeof at.message?.as === "number" && at.message.state === "running" && at.message.options?.kibitz !== false && !at.away;

  // Bots' moves since the viewer's last move that have no reason yet.
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
        if (!goesOn()) break; // the bots' own reasons are available
        at.reasons.set(event.turn, words);
        if (reason) announce(withNames(words, at.holders.at(event)));
        drawn();
      }
    } catch {
      // Rate limited, or no connection: all reasons appear after the game.
    }
    asking = false;
  }

  function update() {
    for (const [turn, { text, words }] of told) {
      if (at.events[turn - 1]?.text === text) continue;
      if (at.reasons.get(turn) === words) at.reasons.delete(turn); // the move was taken back
      told.delete(turn);
    }
    if (setting("reasons")) ask();
  }

  addEventListener("settings", update);
  return { ask, unasked, update, leave: () => removeEventListener("settings", update) };
}
