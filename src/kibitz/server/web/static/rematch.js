// @ts-check
// Rematches: inviting everybody to play again, joining or declining, and who has not answered.

import { announce, button, h, toast } from "./dom.js";
import * as storage from "./storage.js";

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
    if (!token && next) return h("a", { class: "button", href: `#/table/${next.table}` }, "Watch the next game");
    if (message.options?.analysis_board || (!token && !message.options?.open)) return null;
    if (next && next.table !== past) return null;
    return button("Play again", () => (token ? say("propose") : alone()), { class: "primary", "data-key": "again" });
  }

  // Somebody else's invitation, or the link to the visitor's own rematch.
  function invitation() {
    const { message, token } = at;
    const next = message.options?.rematch;
    if (!token || !next || next.table === past) return null;
    const mine = next.seat === message.as;
    const stays = storage.seat(at.table)?.stays === next.table;
    const words = mine ? "You asked for a rematch." : stays ? `${next.by} plays again. You stay here.` : `${next.by} wants to play again. Everybody keeps their seat.`;
    if (!mine && announced !== next.table) announce(words);
    announced = next.table;
    return h("div", { class: "rematch", role: "group", "aria-label": "Rematch" },
      h("p", {}, words),
      h("div", { class: "row" },
        button(mine ? "Go to the rematch" : stays ? "Join after all" : "Join the rematch", () => say("accept"), { class: "primary", "data-key": "come" }),
        !mine && !stays && button("Stay here", () => say("decline"), { "data-key": "stay" })));
  }

  return { buttons, invitation };
}

const list = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0]);

const reserved = (message, names, declined) => names.filter((_, index) => message.seats[index].reserved && Boolean(message.seats[index].declined) === declined);

// The names a table is waiting for.
export function waitingFor(message, names) {
  const asked = reserved(message, names, false);
  return asked.length ? `Waiting for ${list(asked)}` : "Waiting for players";
}

// At the table of a rematch before it starts: who moves first, who has not answered, who declined.
export function rematchNotice(message, names) {
  const from = message.options?.rematch_of;
  if (!from || message.state !== "waiting") return null;
  const [asked, staying] = [reserved(message, names, false), reserved(message, names, true)];
  return h("div", { class: "rematch" }, h("p", {}, [
    `Rematch: everybody keeps their seat, and ${names[from.first]} moves first.`,
    asked.length && `${list(asked)} ${asked.length > 1 ? "have" : "has"} not answered yet; after a minute you can let a bot play or open the seat.`,
    staying.length && `${list(staying)} ${staying.length > 1 ? "decline" : "declines"}: let a bot play, or open the seat.`,
  ].filter(Boolean).join(" ")));
}
