// @ts-check
// The shell: routing, the connection, the theme, and global keys.

import { announce, h, toast } from "./dom.js";
import { registerBoards } from "./boards.js";
import { Connection } from "./socket.js";
import { showHelp } from "./help.js";
import { showLobby } from "./lobby.js";
import { setCatalogue, translatedGames } from "./names.js";
import { showSettings } from "./settings.js";
import { showTable } from "./table.js";
import * as storage from "./storage.js";
import { localized, t } from "./texts.js";

// Pages by the first word of the address. Each is a function that fills the main element and returns
// { ready(), broken(), hear(message), leave(), key(event), keyUp(event), keys, game, rules, stay(words) }, all but ready optional.
/** @typedef {(main: HTMLElement, shell: any, words: string[]) => any} Page */
/** @type {Map<string, Page>} */
const PAGES = new Map(Object.entries({ "": showLobby, table: showTable }));
// Pages that few visitors open are loaded on demand.
const MORE_PAGES = new Map(Object.entries({
  join: () => import("./join.js").then((module) => module.showJoin),
  gallery: () => import("./gallery.js").then((module) => module.showGallery),
  lab: () => import("./lab.js").then((module) => module.showLab),
  review: () => import("./review.js").then((module) => module.showReview),
  progress: () => import("./progress.js").then((module) => module.showProgress),
  daily: () => import("./daily.js").then((module) => module.showDaily),
  puzzles: () => import("./puzzles.js").then((module) => module.showPuzzles),
}));

const main = document.getElementById("main");
const connection = new Connection();
const shell = { connection, catalogue: null, go };
let page = null;
let shown = null;
let ready = () => {}; // removes the note that a game is being prepared

function go(address) {
  if (location.hash === `#${address}`) route();
  else location.hash = address;
}

// Decode a word of the address; a malformed one is used unchanged.
function decoded(word) {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

const shortened = (text) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

async function route() {
  const address = location.hash;
  const words = address.replace(/^#\/?/, "").split("/").map(decoded);
  const known = PAGES.has(words[0]) || MORE_PAGES.has(words[0]);
  const name = known ? words[0] : "";
  if (known && shown === `${name}/${words[1] ?? ""}` && page?.stay?.(words.slice(1))) return;
  if (known && !PAGES.has(name)) {
    try {
      PAGES.set(name, await MORE_PAGES.get(name)());
    } catch {
      return toast(t("This page could not be loaded. Check that the server is running, then try again."), "error");
    }
    if (location.hash !== address) return; // the visitor has navigated elsewhere
  }
  page?.leave?.();
  ready();
  shown = `${name}/${words[1] ?? ""}`;
  main.replaceChildren();
  main.className = `page-${name || "lobby"}`;
  document.title = "kibitz";
  if (!known) main.append(h("p", { class: "no-page", role: "status" }, t("There is no page at {shortened}. Showing the lobby.", { shortened: shortened(location.hash) })));
  page = PAGES.get(name)(main, shell, words.slice(1));
  for (const link of document.querySelectorAll(".top nav a")) {
    const here = link.getAttribute("href").replace(/^#\/?/, "") === name;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (connection.ready && shell.catalogue) page.ready();
  scrollTo(0, 0);
}

connection.addEventListener("ready", async () => {
  const back = document.body.classList.contains("broken");
  document.body.classList.remove("broken");
  document.getElementById("connection").textContent = "";
  if (back) announce(t("Reconnected."));
  try {
    shell.catalogue = translatedGames((await connection.ask({ type: "catalogue" }, true)).games);
    registerBoards(shell.catalogue);
    setCatalogue(shell.catalogue);
    page?.ready();
  } catch (error) {
    if (error.code !== "broken") toast(error.message, "error");
  }
});

connection.addEventListener("broken", () => {
  document.body.classList.add("broken");
  page?.broken?.();
  const words = connection.everReady ? t("Connection lost, reconnecting …") : t("Connecting …");
  const status = document.getElementById("connection");
  if (status.textContent !== words) status.textContent = words;
});

connection.addEventListener("silent", () => {
  const words = t("Server not responding …");
  const status = document.getElementById("connection");
  if (status.textContent !== words) status.textContent = words;
});

connection.addEventListener("answers", () => {
  document.getElementById("connection").textContent = "";
});

connection.addEventListener("heard", ({ detail: message }) => {
  if (page?.hear?.(message)) return;
  if (message.type === "error") toast(message.message, "error");
  if (message.type === "pending") ready = toast(message.text);
  if (message.type === "bye") announce(message.reason);
});

// The texts of index.html
for (const element of document.querySelectorAll("[data-t]")) {
  for (const name of ["aria-label", "title"]) if (element.hasAttribute(name)) element.setAttribute(name, localized(element.getAttribute(name)));
  if (!element.firstElementChild) element.textContent = localized(element.textContent);
}

// Theme: system, light, or dark.

const THEMES = { auto: ["◐", t("Theme: system")], light: ["☀", t("Theme: light")], dark: ["☾", t("Theme: dark")] };

function applyTheme() {
  const theme = storage.theme();
  document.documentElement.style.colorScheme = theme === "auto" ? "light dark" : theme;
  const [sign, words] = THEMES[theme];
  const toggle = document.getElementById("theme");
  toggle.textContent = sign;
  toggle.setAttribute("aria-label", words);
  toggle.title = words;
}

document.getElementById("theme").addEventListener("click", () => {
  const names = Object.keys(THEMES);
  storage.setTheme(names[(names.indexOf(storage.theme()) + 1) % names.length]);
  applyTheme();
});

document.getElementById("help").addEventListener("click", () => showHelp(page, shell));
document.getElementById("settings").addEventListener("click", showSettings);
document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

const sliding = (event) => event.target.matches?.("input[type=range]") && /^(Home|End|Page|Arrow)/.test(event.key);
const typing = (target) => target.closest?.("input:not([type=range]):not([type=checkbox]), textarea, select");

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || sliding(event) || document.querySelector("dialog[open]")) return;
  if (event.key === "?") {
    event.preventDefault();
    showHelp(page, shell);
  } else if (page?.key?.(event)) event.preventDefault();
});
addEventListener("keyup", (event) => page?.keyUp?.(event));
addEventListener("blur", () => page?.keyUp?.({ key: "" }));
addEventListener("hashchange", route);

applyTheme();
route();
