// @ts-check
// What the pages of the coach share: verdicts, amounts in the unit of a game, and the key to a visitor's progress.

import "./more_texts.js";
import { withNames } from "./seat_names.js";
import * as storage from "./storage.js";
import { language, localized, t } from "./texts.js";

// The verdicts with their marks, the worst first.
export const VERDICTS = new Map(Object.entries({
  blunder: ["??", t("Blunder")], mistake: ["?", t("Mistake")], inaccuracy: ["?!", t("Inaccuracy")], "": ["·", t("Good move")], excellent: ["!", t("Excellent move")], "only move": ["□", t("Only move")],
}));
export const WRONG = ["blunder", "mistake", "inaccuracy"];

// The kinds of mistakes that the server counts.
const KINDS = {
  "last copy": t("last copies lost"), "missed play": t("playable cards not played"), gamble: t("plays against the odds"), endgame: t("turns lost at the end"), "wrong card": t("hints that ask for a wrong card"),
  "empty hint": t("hints that say nothing new"), "too late": t("cards not saved in time"), "risky discard": t("risky discards"), "wasted discard": t("discards with all tokens"), "hoarded token": t("tokens hoarded"),
  "wasted token": t("tokens wasted"), other: t("other"),
};
export const kindWords = (kind) => KINDS[kind] ?? localized(kind);

const PER_CENT = 100;

// A value of a game in its unit: points, or the chance to win in per cent.
export function amount(value, unit, digits = 1) {
  if (value === null || value === undefined) return "–";
  return unit === "wins" ? `${(PER_CENT * value).toFixed(digits ? digits - 1 : 0)} %` : value.toFixed(unit === "points" ? digits : 0);
}

// Sentences of the server, each translated by itself without its full stop, with the players' names.
export const prose = (text, names) => text.split(/(?<=\.) /).map((each) => (each.endsWith(".") ? `${withNames(each.slice(0, -1), names)}.` : withNames(each, names))).join(" ");

// A loss or a gain as a phrase.
export function amountWords(value, unit) {
  if (unit === "wins" && Math.abs(value) >= 1) return t("{text} wins", { text: Math.abs(value).toFixed(1) }); // of several rounds
  const text = amount(Math.abs(value), unit);
  return unit === "wins" ? t("{text} of a win", { text }) : unit === "points" ? (text === "1.0" ? t("1 point") : t("{text} points", { text })) : t("{text} points of the search", { text });
}

// What can be expected: points, or a chance.
export const expectedWords = (value, unit) => (unit === "wins" ? amount(value, unit) : amountWords(value, unit));

const KEY = "visitor";

// Ask something about the visitor's own progress. The server makes the key, and this browser keeps it.
export async function askOwn(shell, message) {
  const answer = await shell.connection.ask({ ...message, key: storage.choice(KEY, "") }, true);
  if (answer.key) storage.setChoice(KEY, answer.key);
  return answer;
}

export const hasKey = () => Boolean(storage.choice(KEY, ""));
export const forgetKey = () => storage.setChoice(KEY, "");

const POSSIBLE = { found: t("25 points were possible with open cards: a way was found."), impossible: t("25 points were not possible, even with open cards: that is proved."), unknown: t("Whether 25 points were possible is not known.") };

// How hard a deal was.
export function hardness({ percentile, deals, possible }) {
  const [easier, count] = [Math.round(percentile), deals.toLocaleString(language)];
  const words = easier >= 50 ? t("Harder than {share} % of {count} deals, by the results of a fixed set of bots.", { share: easier, count }) : t("Easier than {share} % of {count} deals, by the results of a fixed set of bots.", { share: 100 - easier, count });
  return [words, POSSIBLE[possible]].filter(Boolean).join(" ");
}
