// @ts-check
// Helpers that build elements. User input only ever becomes text: nothing here parses HTML.

import { t } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";

// h("button", { class: "primary", "aria-label": "Play", onclick: play, style: { "--n": 3 } }, "Play", icon)
/** @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Object<string, any> | null} [properties]
 * @param {any[]} children @returns {HTMLElementTagNameMap[T]} */
export function h(tag, properties = {}, ...children) {
  return filled(document.createElement(tag), properties, children);
}

/** @template {keyof SVGElementTagNameMap} T @param {T} tag @param {Object<string, any> | null} [properties]
 * @param {any[]} children @returns {SVGElementTagNameMap[T]} */
export function svg(tag, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), properties, children);
}

/** @template {Element} E @param {E & { style?: CSSStyleDeclaration, value?: any, dataset?: DOMStringMap }} element
 * @param {Object<string, any> | null} properties @param {any[]} children @returns {E} */
function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [rule, set] of Object.entries(value)) element.style.setProperty(rule, set);
    else if (name === "value" && element.tagName !== "OPTION") element.value = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// Elements of the page, of HTML or SVG, all have a dataset.
export const focused = () => /** @type {HTMLInputElement | null} */ (document.activeElement);

// Redraw a part of the page; focus stays on the element with the same data-key.
/** @param {Element} root @param {any[]} children */
export function redraw(root, ...children) {
  const held = root.contains(document.activeElement) ? focused() : null;
  const key = held?.dataset.key;
  const typed = held && "selectionStart" in held && held.type === "text" ? { value: held.value, at: held.selectionStart } : null;
  root.replaceChildren(...children.flat(Infinity).filter(Boolean));
  const again = /** @type {HTMLInputElement} */ (key && root.querySelector(`[data-key="${CSS.escape(key)}"]`));
  if (again && !again.disabled) {
    again.focus({ preventScroll: true });
    if (typed && "selectionStart" in again) {
      again.value = typed.value;
      again.setSelectionRange(typed.at, typed.at);
    }
  }
}

/** @param {HTMLSelectElement} select @param {any[][]} choices @param {any} [chosen] */
export function options(select, choices, chosen) {
  select.replaceChildren(
    ...choices.map(([value, text]) => h("option", { value, selected: String(value) === String(chosen) }, text)),
  );
  return select;
}

/** @param {string} label @param {HTMLElement} control @param {any} [hint] */
export function field(label, control, hint) {
  const id = control.id || (control.id = `field-${++fields}`);
  if (hint) control.setAttribute("aria-describedby", `${id}-hint`);
  return h("div", { class: "field" }, h("label", { for: id }, label), control, hint && h("small", { id: `${id}-hint` }, hint));
}
let fields = 0;

/** @param {any} text @param {(event: MouseEvent) => any} onclick @param {Object<string, any>} [properties] */
export function button(text, onclick, properties = {}) {
  return h("button", { type: "button", onclick, ...properties }, text); // text, or pictures
}

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Announce a sentence to screen readers, in one polite live region.
/** @param {string} text */
export function announce(text) {
  const region = document.getElementById("said");
  region.append(h("p", {}, text));
  while (region.childElementCount > 6) region.firstChild.remove();
}

// Show a short message at the edge of the page, and announce it.
/** @param {string} text @param {"note" | "error"} [kind] */
export function toast(text, kind = "note") {
  const shown = h("div", { class: `toast ${kind}` }, h("p", {}, text));
  const gone = () => shown.remove();
  shown.append(button("×", gone, { class: "quiet", "aria-label": t("Dismiss") }));
  document.getElementById("toasts").append(shown);
  announce(text);
  setTimeout(gone, kind === "error" ? 12000 : 7000);
  return gone;
}

// Open a modal dialog with a title; returns its element.
/** @param {string} title @param {any[]} content */
export function dialog(title, ...content) {
  const box = h("dialog", { class: "dialog", "aria-label": title });
  box.append(
    h("header", {}, h("h2", {}, title), button("×", () => box.close(), { class: "quiet", "aria-label": t("Close") })),
    ...content.flat().filter(Boolean),
  );
  document.body.append(box);
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => event.target === box && box.close());
  box.showModal();
  return box;
}

/** @param {string} text @param {string} what */
export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("{what} copied.", { what }));
  } catch {
    dialog(what, h("p", {}, t("Copy this:")), h("input", { value: text, readonly: true, class: "wide", "aria-label": what }));
  }
}

// Call a function of a module that is loaded on first use.
/** @param {Promise<any>} module @param {string} name @param {any[]} given */
export async function later(module, name, ...given) {
  try {
    (await module)[name](...given);
  } catch {
    toast(t("This part of the page could not be loaded. Check that the server is running, then try again."), "error");
  }
}

// Load a style sheet once; the promise ends when it applies.
/** @param {string} href @returns {Promise<void>} */
export function styleSheet(href) {
  if (!sheets.has(href)) {
    sheets.set(href, new Promise((done) => {
      document.head.append(h("link", { rel: "stylesheet", href, onload: done, onerror: done }));
    }));
  }
  return sheets.get(href);
}
const sheets = new Map();

const ICONS = {
  first: "M5 4v12M16 4 8 10l8 6Z",
  back: "M13 4 6 10l7 6Z",
  forward: "M7 4l7 6-7 6Z",
  last: "M15 4v12M4 4l8 6-8 6Z",
  play: "M6 3.5v13l10-6.5Z",
  pause: "M7 4v12M13 4v12",
};

/** @param {keyof typeof ICONS} name */
export function icon(name) {
  return svg("svg", { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}
