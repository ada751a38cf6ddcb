// Helpers that build elements. User input only ever becomes text: nothing here parses HTML.

const SVG = "http://www.w3.org/2000/svg";

// h("button", { class: "primary", "aria-label": "Play", onclick: play, style: { "--n": 3 } }, "Play", icon)
export function h(tag, properties = {}, ...children) {
  return filled(document.createElement(tag), properties, children);
}

export function svg(tag, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), properties, children);
}

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

// Redraw a part of the page; focus stays on the element with the same data-key.
export function redraw(root, ...children) {
  const held = root.contains(document.activeElement) ? document.activeElement : null;
  const key = held?.dataset.key;
  const typed = held && "selectionStart" in held && held.type === "text" ? [held.value, held.selectionStart] : null;
  root.replaceChildren(...children.flat(Infinity).filter(Boolean));
  const again = key && root.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (again && !again.disabled) {
    again.focus({ preventScroll: true });
    if (typed && "selectionStart" in again) {
      again.value = typed[0];
      again.setSelectionRange(typed[1], typed[1]);
    }
  }
}

export function options(select, choices, chosen) {
  select.replaceChildren(
    ...choices.map(([value, text]) => h("option", { value, selected: String(value) === String(chosen) }, text)),
  );
  return select;
}

export function field(label, control, hint) {
  const id = control.id || (control.id = `field-${++fields}`);
  if (hint) control.setAttribute("aria-describedby", `${id}-hint`);
  return h("div", { class: "field" }, h("label", { for: id }, label), control, hint && h("small", { id: `${id}-hint` }, hint));
}
let fields = 0;

export function button(text, onclick, properties = {}) {
  return h("button", { type: "button", onclick, ...properties }, text); // text, or pictures
}

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Announce a sentence to screen readers, in one polite live region.
export function announce(text) {
  const region = document.getElementById("said");
  region.append(h("p", {}, text));
  while (region.childElementCount > 6) region.firstChild.remove();
}

// Show a short message at the edge of the page, and announce it.
export function toast(text, kind = "note") {
  const shown = h("div", { class: `toast ${kind}` }, h("p", {}, text));
  const gone = () => shown.remove();
  shown.append(button("×", gone, { class: "quiet", "aria-label": "Dismiss" }));
  document.getElementById("toasts").append(shown);
  announce(text);
  setTimeout(gone, kind === "error" ? 12000 : 7000);
}

// Open a modal dialog with a title; returns its element.
export function dialog(title, ...content) {
  const box = h("dialog", { class: "dialog", "aria-label": title });
  box.append(
    h("header", {}, h("h2", {}, title), button("×", () => box.close(), { class: "quiet", "aria-label": "Close" })),
    ...content.flat().filter(Boolean),
  );
  document.body.append(box);
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => event.target === box && box.close());
  box.showModal();
  return box;
}

export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied.`);
  } catch {
    dialog(what, h("p", {}, "Copy this:"), h("input", { value: text, readonly: true, class: "wide", "aria-label": what }));
  }
}

const ICONS = {
  first: "M5 4v12M16 4 8 10l8 6Z",
  back: "M13 4 6 10l7 6Z",
  forward: "M7 4l7 6-7 6Z",
  last: "M15 4v12M4 4l8 6-8 6Z",
  play: "M6 3.5v13l10-6.5Z",
  pause: "M7 4v12M13 4v12",
};

export function icon(name) {
  return svg("svg", { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}
