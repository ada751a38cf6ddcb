// What a person may switch to their liking, kept in this browser. A page that draws by a setting listens for "settings".

import { dialog, h, options } from "./dom.js";
import * as keep from "./keep.js";

// A setting without choices is a switch.
export const SETTINGS = [
  { name: "sound", label: "Sound", usual: false, hint: "A short tone for every move, another for your turn and for a mistake." },
  { name: "chat", label: "Chat", usual: true, hint: "What people say at a table. Switched off, you neither see nor hear it." },
  { name: "confirm", label: "Ask before keys play or discard", usual: true, hint: "Enter goes ahead, Esc keeps the card." },
  { name: "newest", label: "Newest card of a hand", usual: "right", choices: [["right", "at the right"], ["left", "at the left"]], hint: "The number on a card stays: 1 is always the oldest." },
  { name: "chop", label: "Mark the card that would be discarded next", usual: false, hint: "In Hanabi: the oldest card of a hand that no hint has touched." },
  { name: "reasons", label: "Reasons during the game", usual: false, hint: "When a bot has moved, the history says why, as far as you can know." },
];

const declared = (name) => SETTINGS.find((each) => each.name === name);

export const setting = (name) => keep.choice(`setting.${name}`, declared(name).usual);

export function setSetting(name, value) {
  keep.setChoice(`setting.${name}`, value);
  dispatchEvent(new Event("settings"));
}

export function showSettings() {
  dialog("Settings", h("form", { class: "settings", onsubmit: (event) => event.preventDefault() }, SETTINGS.map(control)));
}

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
