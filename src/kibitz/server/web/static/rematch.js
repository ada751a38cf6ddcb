// @ts-check
// Rematches: inviting everybody to play again, joining or declining, and who has not answered.

import { announce, button, h, toast } from "./dom.js";
import * as storage from "./storage.js";
import { listed, t, tn } from "./texts.js";

// Controls beside the verdict of a game. `draw` redraws the page; `alone` creates a table of the visitor's own.
export function rematchOffer(at, shell, draw, alone) {
  let asking = false;
  let past = null; // a rematch that is over: another can be requested
  let announced = null; // the invitation that was announced

  async function say(answer) {
    if (asking) return;
    asking = true;
    const { table, token, message } = at;
    try {
      const seat = await shell.connection.ask({ type: "rematch", table, token, answer }, true);
      if (answer === "decline") storage.setSeat(table, { stays: message.options.rematch.table });
      else {
        storage.setSeat(seat.table, { token: seat.token, seat: seat.seat, host: seat.host });
        shell.go(`/table/${seat.table}`);
      }
    } catch (error) {
      if (error.code === "over") past = message.options?.rematch?.table;
      toast(error.message, "error");
    } finally {
      asking = false;
    }
    draw();
  }

  // Buttons beside the verdict.
  function buttons() {
    const { message, token } = at;
    const next = message.options?.rematch;
    if (!token && next) return h("a", { class: "button", href: `#/table/${next.table}` }, t("Watch the next game"));
    if (message.options?.analysis_board || (!token && !message.options?.open)) return null;
    if (next && next.table !== past) return null;
    return button(t("Play again"), () => (token ? say("propose") : alone()), { class: "primary", "data-key": "again" });
  }

  // Somebody else's invitation, or the link to the visitor's own rematch.
  function invitation() {
    const { message, token } = at;
    const next = message.options?.rematch;
    if (!token || !next || next.table === past) return null;
    const mine = next.seat === message.as;
    const stays = storage.seat(at.table)?.stays === next.table;
    const words = mine ? t("You asked for a rematch.") : stays ? t("{by} plays again. You stay here.", { by: next.by }) : t("{by} wants to play again. Everybody keeps their seat.", { by: next.by });
    if (!mine && announced !== next.table) announce(words);
    announced = next.table;
    return h("div", { class: "rematch", role: "group", "aria-label": t("Rematch") },
      h("p", {}, words),
      h("div", { class: "row" },
        button(mine ? t("Go to the rematch") : stays ? t("Join after all") : t("Join the rematch"), () => say("accept"), { class: "primary", "data-key": "come" }),
        !mine && !stays && button(t("Stay here"), () => say("decline"), { "data-key": "stay" })));
  }

  return { buttons, invitation };
}

const reserved = (message, names, declined) => names.filter((_, index) => message.seats[index].reserved && Boolean(message.seats[index].declined) === declined);

// The names a table is waiting for.
export function waitingFor(message, names) {
  const asked = reserved(message, names, false);
  return asked.length ? t("Waiting for {names}", { names: listed(asked) }) : t("Waiting for players");
}

// At the table of a rematch before it starts: who moves first, who has not answered, who declined.
export function rematchNotice(message, names) {
  const from = message.options?.rematch_of;
  if (!from || message.state !== "waiting") return null;
  const [asked, staying] = [reserved(message, names, false), reserved(message, names, true)];
  return h("div", { class: "rematch" }, h("p", {}, [
    t("Rematch: everybody keeps their seat, and {name} moves first.", { name: names[from.first] }),
    asked.length && tn(asked.length, "{names} has not answered yet; after a minute you can let a bot play or open the seat.", "{names} have not answered yet; after a minute you can let a bot play or open the seat.", { names: listed(asked) }),
    staying.length && tn(staying.length, "{names} declines: let a bot play, or open the seat.", "{names} decline: let a bot play, or open the seat.", { names: listed(staying) }),
  ].filter(Boolean).join(" ")));
}
