// @ts-check
// User settings, stored in this browser. Pages that depend on them listen for the event "settings".

import { dialog, h, options } from "./dom.js";
import * as storage from "./storage.js";
import { LANGUAGES, t } from "./texts.js";

// A setting without choices is a checkbox.
export const SETTINGS = [
  { name: "language", label: t("Language"), usual: "auto", choices: [["auto", t("As in the browser")], ...Object.entries(LANGUAGES)] },
  { name: "sound", label: t("Sound"), usual: "away", choices: [["away", t("For my turn, while I look elsewhere")], ["all", t("For every move, my turn and mistakes")], ["off", t("Off")]], hint: t("Short tones; browsers allow them after your first press.") },
  { name: "chat", label: t("Chat"), usual: true, hint: t("Show messages at tables.") },
  { name: "confirm", label: t("Confirm moves made with keys"), usual: true, hint: t("Enter confirms, Esc cancels.") },
  { name: "newest", label: t("Newest card"), usual: "right", choices: [["right", t("On the right")], ["left", t("On the left")]], hint: t("The numbers on cards do not change: 1 is always the oldest.") },
  { name: "chop", label: t("Mark the next discard"), usual: false, hint: t("In Hanabi: the oldest card in a hand without a hint.") },
  { name: "reasons", label: t("Reasons during the game"), usual: "bots", choices: [["bots", t("In games with bots only")], ["always", t("In every game")], ["never", t("Only when asked")]], hint: t("Show the likely reason for each bot's move in the history.") },
];

const declared = (name) => SETTINGS.find((each) => each.name === name);

export function setting(name) {
  const { usual, choices } = declared(name);
  const kept = storage.choice(`setting.${name}`, usual);
  return choices && !choices.some(([value]) => value === kept) ? usual : kept; // earlier versions had other choices
}

export function setSetting(name, value) {
  storage.setChoice(`setting.${name}`, value);
  if (name === "language") return location.reload(); // texts are chosen when the page loads
  dispatchEvent(new Event("settings"));
}

export function showSettings() {
  dialog(t("Settings"), h("form", { class: "settings", onsubmit: (event) => event.preventDefault() }, SETTINGS.map(control)));
}

/** @param {{ name: string, label: string, hint?: string, choices?: string[][] }} setting */
function control({ name, label, hint, choices }) {
  const id = `setting-${name}`;
  const described = hint && h("small", { id: `${id}-hint` }, hint);
  const more = { id, "aria-describedby": hint && `${id}-hint` };
  if (choices) {
    const select = options(h("select", { ...more, onchange: () => setSetting(name, select.value) }), choices, setting(name));
    return h("div", { class: "field" }, h("label", { for: id }, label), select, described);
  }
  const box = h("input", { ...more, type: "checkbox", onchange: () => setSetting(name, box.checked) });
  box.checked = setting(name);
  return h("div", { class: "field" }, h("label", { class: "check", for: id }, box, ` ${label}`), described);
}
