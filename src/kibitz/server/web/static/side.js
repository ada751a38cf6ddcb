// @ts-check
// The panels beside the board: the history and the replay controls, below them one other panel at a time. In a small
// window the tabs are a bar at the lower edge, and the open panel is a sheet above it.

import { h } from "./dom.js";
import { t } from "./texts.js";

// A panel and its tab. `toggled()` is called when it was opened or closed.
/** @param {string} name @param {string} title @param {any[]} content */
export function sidePanel(name, title, ...content) {
  const element = h("section", { class: `panel ${name}-panel`, id: `panel-${name}`, "aria-label": title }, content);
  const tab = h("button", { type: "button", class: `tab tab-${name}`, "aria-expanded": "false", "aria-controls": element.id, "data-key": `tab-${name}` }, title);
  return {
    name, element, tab,
    open: false,
    toggled() {},
    /** @param {boolean} hidden */
    hide(hidden) {
      element.hidden = tab.hidden = hidden;
    },
  };
}

/** @param {ReturnType<typeof sidePanel>[]} panels the history first @param {any[]} controls */
export function sidePanels(panels, ...controls) {
  const element = h("aside", { class: "side", "aria-label": t("Beside the table") },
    panels[0].element, h("div", { class: "controls" }, controls),
    h("div", { class: "tabs", role: "group", "aria-label": t("Panels") }, panels.map((panel) => panel.tab)),
    panels.slice(1).map((panel) => panel.element));
  let chosen = false; // by the visitor

  /** @param {string | null} name */
  function open(name) {
    for (const panel of panels) {
      const now = panel.name === name;
      if (panel.open === now) continue;
      panel.open = now;
      panel.element.classList.toggle("open", now);
      panel.tab.setAttribute("aria-expanded", String(now));
      panel.toggled();
    }
    element.dataset.open = name ?? "";
  }

  for (const panel of panels) {
    panel.tab.addEventListener("click", () => {
      chosen = true;
      open(panel.open ? null : panel.name);
    });
  }
  return {
    element,
    /** @param {string} name */
    open(name) {
      chosen = true;
      open(name);
    },
    // Open the panel that is needed most, or none, unless the visitor has chosen one.
    /** @param {string | null} name */
    offer(name) {
      if (!chosen) open(name);
    },
    /** @param {KeyboardEvent} event */
    key(event) {
      const now = panels.find((panel) => panel.open);
      if (event.key !== "Escape" || !now || !now.element.contains(document.activeElement)) return false;
      open(null);
      now.tab.focus();
      return true;
    },
  };
}
