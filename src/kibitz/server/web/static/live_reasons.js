// @ts-check
// Why bots moved, during the game: reasons that use nothing hidden from the viewer, in the history. They are requested
// after every move or by the button above the history, as the settings say.

import { announce, button } from "./dom.js";
import { withNames } from "./seat_names.js";
import { setting } from "./settings.js";
import { t } from "./texts.js";

export function liveReasons(at, requests, drawn) {
  const shown = new Map(); // by turn: the move's text and the words shown
  let asking = false;

  const goesOn = () => typeof at.message?.as === "number" && at.message.state === "running" && at.message.options?.kibitz !== false && !at.away;

  // Bots' moves since the viewer's last move that have no reason yet.
  function unasked() {
    if (!goesOn()) return [];
    const { as, seats, turn } = at.message;
    const mine = at.events.findLastIndex((event) => event.seat === as);
    return at.events.slice(mine + 1, turn).filter((event) => seats[event.seat]?.kind === "bot" && shown.get(event.turn)?.text !== event.text);
  }

  // Without being asked, only what is known is shown.
  async function ask(wanted = true) {
    if (asking) return;
    asking = true;
    try {
      for (let [event] = unasked(); event; [event] = unasked()) {
        const { reason, unknown } = await requests.ask({ type: "why", turn: event.turn });
        const words = reason ? t("Probably because: {reason}", { reason }) : unknown;
        shown.set(event.turn, { text: event.text, words });
        if (!goesOn()) break; // the bots' own reasons are available
        if (reason || wanted) at.reasons.set(event.turn, words);
        if (reason) announce(withNames(words, at.holders.at(event)));
        drawn();
      }
    } catch {
      // Rate limited, or no connection: all reasons appear after the game.
    }
    asking = false;
    offer();
  }

  const offer = () => { why.hidden = asking || unasked().length === 0; };

  function update() {
    for (const [turn, { text, words }] of shown) {
      if (at.events[turn - 1]?.text === text) continue;
      if (at.reasons.get(turn) === words) at.reasons.delete(turn); // the move was taken back
      shown.delete(turn);
    }
    const people = at.message?.seats.some((seat, index) => index !== at.message.as && seat.kind === "person");
    if (setting("reasons") === "always" || (setting("reasons") === "bots" && !people)) ask(false);
    offer();
  }

  const why = button(t("Why these moves?"), () => ask().then(update), { class: "quiet", "data-key": "whys", hidden: true });

  addEventListener("settings", update);
  return { button: why, update, leave: () => removeEventListener("settings", update) };
}
