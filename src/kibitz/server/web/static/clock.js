// @ts-check
// The time limit per move: the time left, and the notice when a bot plays for you.

import { announce, button, h } from "./dom.js";
import { holderName } from "./names.js";
import { t, tn } from "./texts.js";

const SOON = 10; // seconds before the end at which a warning is announced

export const TIMES = [
  [0, t("No limit")], ...[10, 20, 30].map((each) => [each, t("{n} seconds", { n: each })]),
  ...[1, 2, 5, 15].map((each) => [60 * each, tn(each, "1 minute", "{n} minutes")]), ...[1, 8, 24].map((each) => [3600 * each, tn(each, "1 hour", "{n} hours")]),
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
    if (left === null) return ` · ${t("clock stopped while nobody is at the table")}`;
    if (mine && limit > SOON && seconds() <= SOON && warned !== turn) {
      warned = turn;
      announce(tn(seconds(), "{n} second left for your move.", "{n} seconds left for your move."));
    }
    return ` · ${t("{time} left", { time: duration(seconds()) })}`;
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
    h("p", {}, [t("{name} plays for you until you take your seat back.", { name: holderName(seat) }), limit && t("You have {time} per move.", { time: duration(limit) })].filter(Boolean).join(" ")),
    button(t("Take my seat back"), () => requests.send({ type: "reclaim_seat" }), { class: "primary", "data-key": "play-on" }));
}
