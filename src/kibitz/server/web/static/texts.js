// @ts-check
// The texts of the page in the visitor's language. English texts are the keys of the catalogues, texts/*.json: see
// docs/how-to/translate.md.

import * as storage from "./storage.js";

export const LANGUAGES = { en: "English", de: "Deutsch" }; // eslint-disable-line texts/translated

const known = (code) => (Object.hasOwn(LANGUAGES, code) ? code : null);

// The language chosen in the settings, or the first of the browser's that there is.
export const language = known(storage.choice("setting.language", "auto"))
  ?? navigator.languages.map((each) => known(each.split("-")[0])).find(Boolean) ?? "en";

/** @type {Record<string, any>} */
const catalogue = {};
/** @type {{ pattern: RegExp, names: string[], words: string }[]} */
const sentences = []; // that the server writes
const seen = new Map(); // sentences of the server, translated

// Add a section of the catalogue: "page", or the name of a game.
/** @param {string} section */
export async function loadTexts(section) {
  if (language === "en" || loaded.has(section)) return;
  loaded.add(section);
  try {
    const found = await (await fetch(`/texts/${language}/${encodeURIComponent(section)}.json`)).json();
    Object.assign(catalogue, found.texts);
    for (const [text, words] of Object.entries(found.sentences)) sentences.push({ ...matcher(text), words });
    seen.clear();
  } catch {
    // Without its section a text is English.
  }
}
const loaded = new Set();

// "{who} plays {card}" as a pattern: {n} is a number, {seat…} a seat, as the server writes it, all else any text.
/** @param {string} text */
function matcher(text) {
  const names = [];
  const source = text.split(/\{(\w+)\}/).map((part, place) => (place % 2 ? (names.push(part), part === "n" ? "([\\d.,]+)" : part.startsWith("seat") ? "(G\\d)" : "(.+?)") : part.replace(/[.*+?^$()[\]\\|]/g, "\\$&")));
  return { pattern: new RegExp(`^${source.join("")}$`), names };
}

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));

// t("Rules of {title}", { title: "Hanabi" })
/** @param {string} text @param {Object<string, any>} [values] @returns {string} */
export function t(text, values) {
  const found = catalogue[text] ?? text;
  return values ? filled(found, values) : found;
}

const plural = new Intl.PluralRules(language);

// tn(3, "{n} turn", "{n} turns"): the catalogue has a text for each plural form of its language.
/** @param {number} n @param {string} one @param {string} other @param {Object<string, any>} [values] @returns {string} */
export function tn(n, one, other, values = {}) {
  const found = catalogue[other];
  return filled(found ? found[plural.select(n)] ?? found.other : n === 1 ? one : other, { n, ...values });
}

// A text of the server, which may be a sentence with parts of its own. One that the catalogue does not know stays as it is.
/** @param {string} text @returns {string} */
export function localized(text) {
  if (language === "en" || !text) return text;
  if (!seen.has(text)) seen.set(text, found(text));
  return seen.get(text);
}

/** @param {string} text @returns {string} */
function found(text) {
  if (typeof catalogue[text] === "string") return catalogue[text];
  for (const { pattern, names, words } of sentences) {
    const parts = pattern.exec(text);
    if (parts) return filled(words, Object.fromEntries(names.map((name, place) => [name, localized(parts[place + 1])])));
  }
  return text;
}

const lists = Object.fromEntries(/** @type {const} */ (["conjunction", "disjunction"]).map((type) => [type, new Intl.ListFormat(language === "en" ? "en-GB" : language, { type })]));

// "a, b and c", or "a, b or c"
/** @param {any[]} items @param {"and" | "or"} [link] */
export const listed = (items, link = "and") => lists[link === "or" ? "disjunction" : "conjunction"].format(items.map(String));

document.documentElement.lang = language;
await loadTexts("page");
