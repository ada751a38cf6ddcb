// The time per move, if the table has one: how much is left, and who plays for whom when it is up.

import { announce, button, h } from "./dom.js";
import { holderName } from "./names.js";

const SOON = 10; // seconds before the end that are read out

export const TIMES = [
  [0, "No limit"], [10, "10 seconds"], [20, "20 seconds"], [30, "30 seconds"], [60, "1 minute"], [120, "2 minutes"], [300, "5 minutes"],
  [900, "15 minutes"], [3600, "1 hour"], [28800, "8 hours"], [86400, "24 hours"],
];

export function duration(seconds) {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min`;
}

export function moveClock(at) {
  let left = null; // seconds, when it was told
  let told = 0;
  let warned = null; // the turn whose last seconds were read out

  const seconds = () => Math.max(0, Math.ceil(left - (performance.now() - told) / 1000));

  // How long a person who is to move has thought, or may still think.
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
      left = message.clock ?? null;
      told = performance.now();
    },
  };
}

// A bot plays in one's seat, because one wanted it or because one's time was up.
export function substituteNotice({ message, past }, requests) {
  const seat = message.seats[message.as];
  if (past || message.state !== "running" || seat?.kind !== "bot") return null;
  const limit = message.options?.seconds?.person;
  return h("div", { class: "rematch" },
    h("p", {}, `${holderName(seat)} plays for you until you take your seat back.${limit ? ` You have ${duration(limit)} per move.` : ""}`),
    button("Take my seat back", () => requests.send({ type: "retake" }), { class: "primary", "data-key": "play-on" }));
}
