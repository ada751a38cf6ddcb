// @ts-check
// User settings, stored in this browser. Pages that depend on them listen for the event "settings".

import { dialog, h, options } from "./dom.js";
import * as storage from "./storage.js";

// A setting without choices is a checkbox.
export const SETTINGS = [
  { name: "sound", label: "Sound", usual: "away", choices: [["away", "For my turn, while I look elsewhere"], ["all", "For every move, my turn and mistakes"], ["off", "Off"]], hint: "Short tones; browsers allow them after your first press." },
  { name: "chat", label: "Chat", usual: true, hint: "Show messages at tables." },
  { name: "confirm", label: "Confirm moves made with keys", usual: true, hint: "Enter confirms, Esc cancels." },
  { name: "newest", label: "Newest card", usual: "right", choices: [["right", "On the right"], ["left", "On the left"]], hint: "The numbers on cards do not change: 1 is always the oldest." },
  { name: "chop", label: "Mark the next discard", usual: false, hint: "In Hanabi: the oldest card in a hand without a hint." },
  { name: "reasons", label: "Reasons during the game", usual: "bots", choices: [["bots", "In games with bots only"], ["always", "In every game"], ["never", "Only when asked"]], hint: "Show the likely reason for each bot's move in the history." },
];

const declared = (name) => SETTINGS.find((each) => each.name === name);

export function setting(name) {
  const { usual, choices } = declared(name);
  const kept = storage.choice(`setting.${name}`, usual);
  return choices && !choices.some(([value]) => value === kept) ? usual : kept; // earlier versions had other choices
}

export function setSetting(name, value) {
  storage.setChoice(`setting.${name}`, value);
  dispatchEvent(new Event("settings"));
}

export function showSettings() {
  dialog("Settings", h("form", { class: "settings", onsubmit: (event) => event.preventDefault() }, SETTINGS.map(control)));
}

/** @param {{ name: string, label: string, hint: string, choices?: string[][] }} setting */
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
