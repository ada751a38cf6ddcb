// @ts-check
// The time limit per move: the time left, and the notice when a bot plays for you.

import { announce, button, h } from "./dom.js";
import { holderName } from "./names.js";

const SOON = 10; // seconds before the end at which a warning is announced

export const TIMES = [
  [0, "No limit"], [10, "10 seconds"], [20, "20 seconds"], [30, "30 seconds"], [60, "1 minute"], [120, "2 minutes"], [300, "5 minutes"],
  [900, "15 minutes"], [3600, "1 hour"], [28800, "8 hours"], [86400, "24 hours"],
];

export function duration(seconds) {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min`;
}

export function moveClock(at) {
  let left = null; // seconds left at the last message
  let since = 0;
  let warned = null; // the turn of the last warning

  const seconds = () => Math.max(0, Math.ceil(left - (performance.now() - since) / 1000));

  // The time left of the person to move.
  function words(mine) {
    const { options, turn } = at.message;
    const limit = options?.seconds?.person;
    if (!limit) return "";
    if (left === null) return " · clock stopped while nobody is at the table";
    if (mine && limit > SOON && seconds() <= SOON && warned !== turn) {
      warned = turn;
      announce(`${seconds()} ${seconds() === 1 ? "second" : "seconds"} left for your move.`);
    }
    return ` · ${duration(seconds())} left`;
  }

  return {
    words,
    note(message) {
      left = message.seconds_left ?? null;
      since = performance.now();
    },
  };
}

// A bot plays for the viewer, by request or because time ran out.
export function substituteNotice({ message, past }, requests) {
  const seat = message.seats[message.as];
  if (past || message.state !== "running" || seat?.kind !== "bot") return null;
  const limit = message.options?.seconds?.person;
  return h("div", { class: "rematch" },
    h("p", {}, `${holderName(seat)} plays for you until you take your seat back.${limit ? ` You have ${duration(limit)} per move.` : ""}`),
    button("Take my seat back", () => requests.send({ type: "reclaim_seat" }), { class: "primary", "data-key": "play-on" }));
}
