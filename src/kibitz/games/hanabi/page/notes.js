// @ts-check
// Notes in players' shorthand: r3, k r3, "r3, b3", rb3, p, t, f, cm, fix, !p. Anything else stays text.

import { h } from "/static/dom.js";
import { LETTERS, inWords, sign } from "./cards.js";
import { t } from "/static/texts.js";

const SIGNS = { p: ["▲", t("playable")], t: ["×", t("trash")], f: ["F", t("finessed")], cm: ["↷", t("chop moved")], fix: ["✎", t("needs a fix")], c: ["!", t("critical")], k: ["✓", t("known")], "?": ["?", t("unsure")] };
const ALSO = { playable: "p", play: "p", trash: "t", kt: "t", finessed: "f", critical: "c", crit: "c", known: "k", fixme: "fix" };
const COLOUR_WORDS = Object.fromEntries(Object.entries(LETTERS).map(([letter, word]) => [word, letter]));

// Each word of a note as { kinds }, { colour }, { rank } or { sign }, with `not` if negated; null if a word is not shorthand.
function read(text) {
  const short = text.toLowerCase().replaceAll("chop moved", "cm").replace(/\b(red|yellow|green|blue|white)\b\s*/g, (all, word) => COLOUR_WORDS[word] + (/\s$/.test(all) ? "" : " "));
  const words = short.replaceAll("?", " ? ").split(/[\s,;/|]+/).filter(Boolean).map(readWord);
  return words.length && words.every(Boolean) ? words : null;
}

function readWord(word) {
  const not = word.length > 1 && word.startsWith("!");
  const said = not ? word.slice(1) : word;
  const [, letters, ranks] = /^([rygbw]+)([1-5]+)$/.exec(said) ?? [];
  if (letters) return { not, kinds: [...new Set(letters)].flatMap((letter) => [...new Set(ranks)].map((rank) => letter + rank)) };
  if (LETTERS[said]) return { not, colour: LETTERS[said] };
  if (/^[1-5]$/.test(said)) return { not, rank: said };
  const found = Object.hasOwn(SIGNS, said) ? said : Object.hasOwn(ALSO, said) ? ALSO[said] : null;
  return found && { not, sign: SIGNS[found] };
}

// A note in words, for screen readers.
export function noteWords(text) {
  const say = ({ kinds, colour, rank, sign: [, meaning] = [] }) => kinds?.map(inWords).join(" or ") ?? colour ?? rank ?? meaning;
  return read(text)?.map((word) => (word.not ? "not " : "") + say(word)).join(", ") ?? text;
}

// The note as displayed: small cards and signs, or its text.
export function drawnNote(text) {
  return read(text)?.flatMap(({ not, kinds, colour, rank, sign: [shown] = [] }) => {
    const small = (hue, ...inside) => h("i", { class: `note-part ${hue} ${not ? "not" : ""}` }, ...inside);
    if (kinds) return kinds.map((kind) => small(LETTERS[kind[0]], sign(LETTERS[kind[0]]), kind[1]));
    return [small(colour ?? "", colour ? sign(colour) : rank ?? shown)];
  }) ?? text;
}
