// @ts-check
// The lobby: quick start, table set-up, and the list of tables.

import { button, field, h, later, options, redraw, toast } from "./dom.js";
import { createTable } from "./create_table.js";
import { guideOffer } from "./guide_offer.js";
import { knownDeal } from "./known_deal.js";
import { levelAgents, stateWords } from "./names.js";
import { ago, seatNames, withNames } from "./seat_names.js";
import * as storage from "./storage.js";
import { localized, t } from "./texts.js";

const SEARCH_AFTER = 250;
const RANDOM = "random";

export function showLobby(main, shell) {
  const games = h("section", { class: "games", "aria-label": t("Games") });
  const listed = h("section", { class: "tables", "aria-labelledby": "tables-title" });
  const found = h("div", {});
  const search = h("input", { type: "text", maxlength: 100, placeholder: t("Person, bot, game or table"), "aria-label": t("Search tables"), oninput: searchSoon });
  const filters = ["all", "running", "finished", "mine"].map((each) => button({ all: t("All"), running: t("Running"), finished: t("Finished"), mine: t("My games") }[each], () => turnTo(each, 0), { "data-key": `filter-${each}` }));
  /** @type {any} */
  let mine = { rows: null, page: 0, pages: 1, show() {} }; // until my_games.js is loaded
  let gone = false;
  const continued = h("div", {}); // for visitors with games
  let unfinished = null;
  let typed = null; // timer: search when typing pauses
  let tables = null; // of the page shown, by id
  let order = [];
  let which = "all";
  let page = 0;
  let pages = 1;
  main.append(
    h("div", { class: "hero" },
      h("h1", {}, t("Sit down. The others are waiting.")),
      h("p", {}, t("Games with hidden cards, and bots that explain their moves.")),
      nameField(),
      h("nav", { class: "row to-tables", "aria-label": t("Practice") }, button(t("Tables in play ↓"), toTables), [["daily", t("Daily deal")], ["puzzles", t("Puzzles")], ["progress", t("My progress")]].map(([page, title]) => h("a", { class: "button", href: `#/${page}` }, title)))),
    continued,
    games,
    listed,
  );

  function toTables() {
    listed.scrollIntoView({ block: "start" });
    filters[0].focus({ preventScroll: true });
  }

  function nameField() {
    const name = h("input", { type: "text", maxlength: 40, placeholder: t("Your name"), autocomplete: "nickname", value: storage.name(), onchange: rename });
    function rename() {
      storage.setName(name.value.trim());
      shell.connection.rename();
    }
    return h("div", { class: "name" }, field(t("Play as"), name));
  }

  function gameCard(game) {
    const level = options(h("select", {}), game.levels.map((each) => [each.name, localized(each.name)]), storage.choice(`${game.name}.level`, middle(game.levels)));
    const players = options(h("select", {}), game.players.map((n) => [n, n]), storage.choice(`${game.name}.players`, game.usual_players));
    const seat = h("select", {});
    const drawSeats = () => options(seat, seatChoices(game, Number(players.value)), storage.choice(`${game.name}.seat`, 0));
    players.addEventListener("change", drawSeats);
    drawSeats();
    const help = h("p", { class: "level-help" });
    const explain = () => { help.textContent = game.levels.find((each) => each.name === level.value)?.help ?? ""; };
    level.addEventListener("change", explain);
    explain();
    const play = () => {
      storage.setChoice(`${game.name}.level`, level.value);
      storage.setChoice(`${game.name}.players`, Number(players.value));
      const count = Number(players.value);
      storage.setChoice(`${game.name}.seat`, seat.value);
      const mine = seat.value === RANDOM ? Math.floor(Math.random() * count) : Number(seat.value);
      createTable(shell, { type: "create", game: game.name, level: level.value || undefined, players: count, seat: mine, bot_delay: storage.choice("pace", 700) });
    };
    const watch = () => createTable(shell, {
      type: "create", game: game.name, bot_delay: 1200,
      seats: Array.from({ length: Number(players.value) }, (_, seat) => ({ kind: "bot", agent: botFor(game, level.value, Number(players.value), seat) })),
    });
    return h("article", { class: `game-card game-${game.name}` },
      h("div", { class: "sky", "aria-hidden": "true" }, game.board && h("img", { src: `/games/${game.name}/picture.svg`, alt: "", loading: "lazy" })),
      h("header", { class: "row" }, h("h2", {}, game.title), h("span", { class: "grow" }),
        button(t("Rules"), () => later(import("./help.js"), "showRules", game), { class: "quiet", "aria-label": t("Rules of {title}", { title: game.title }) })),
      h("p", {}, game.description),
      h("div", { class: "row choose" },
        game.levels.length > 0 && field(t("Level"), level),
        field(t("Players"), players),
        field(game.seat_titles.length ? t("You are") : t("Your seat"), seat)),
      game.levels.length > 0 && help,
      h("div", { class: "row" },
        button(t("Play now"), play, { class: "primary big", "aria-label": t("Play {title} now", { title: game.title }) }),
        button(t("Watch bots"), watch, { "aria-label": t("Watch bots play {title}", { title: game.title }) }),
        button(t("Set up …"), () => later(import("./setup.js"), "setUpTable", shell, game), { "aria-label": t("Set up a table of {title}", { title: game.title }) })));
  }

  const middle = (levels) => levels[Math.floor((levels.length - 1) / 2)]?.name;

  listed.append(
    h("header", { class: "row" },
      h("h2", { id: "tables-title" }, t("Tables")),
      h("div", { class: "segmented", role: "group", "aria-label": t("Which tables") }, filters),
      search,
      h("span", { class: "grow" }),
      button(t("Import a game …"), () => later(import("./import_export.js"), "importGame", shell))),
    found);

  function drawTables() {
    for (const each of filters) each.setAttribute("aria-pressed", String(each.dataset.key === `filter-${which}`));
    if (which === "mine") [page, pages] = [mine.page, mine.pages];
    const shownTables = which === "mine" ? mine.rows : order.map((id) => tables?.get(id)).filter(Boolean);
    redraw(found,
      (which === "mine" ? shownTables : tables) === null ? h("p", { class: "muted" }, t("Loading …"))
        : shownTables.length === 0 ? h("p", { class: "muted" }, nothing())
        : h("ul", { class: "table-list" }, shownTables.map(row)),
      pages > 1 && h("nav", { class: "row pages", "aria-label": t("Pages of the list") },
        button(t("Newer"), () => turnTo(which, page - 1), { disabled: page === 0, "data-key": "newer" }),
        h("span", { class: "muted small" }, t("Page {n} of {pages}", { n: page + 1, pages })),
        button(t("Older"), () => turnTo(which, page + 1), { disabled: page + 1 >= pages, "data-key": "older" })));
  }

  function nothing() {
    if (search.value.trim()) return t("No table matches “{trim}”.", { trim: search.value.trim() });
    return which === "mine" ? t("You have no games in this browser yet.") : t("No tables yet. Start the first one above.");
  }

  function searchSoon() {
    clearTimeout(typed);
    typed = setTimeout(() => turnTo(which, 0), SEARCH_AFTER);
  }

  function turnTo(list, number) {
    [which, page] = [list, number];
    subscribe();
  }

  function subscribe() {
    clearTimeout(typed);
    if (which === "mine" && !mine.state) return loadMine();
    mine.show(which === "mine", page, search.value.trim());
    shell.connection.send(which === "mine" ? { type: "lobby", on: false } : { type: "lobby", on: true, which, page, search: search.value.trim() });
    if (which === "mine") drawTables();
  }

  async function loadMine() {
    drawTables();
    try {
      mine = (await import("./my_games.js")).myGames(shell, drawTables);
    } catch {
      return toast(t("Your games could not be loaded. Check that the server is running, then try again."), "error");
    }
    if (!gone && which === "mine") subscribe();
  }

  async function showUnfinished() {
    if (!storage.seats().length) return;
    unfinished ??= (await import("./continue_game.js")).continueGame(shell);
    if (gone) return;
    continued.replaceChildren(unfinished.element);
    unfinished.show(true);
  }

  function row(each) {
    const held = storage.seat(each.table)?.token;
    const state = which === "mine" ? mine.state(each) : each.state === "running" && each.turn !== undefined ? [t("turn {n}", { n: each.turn + 1 }), each.undo_count && t("with undo")].filter(Boolean).join(", ") : stateWords(each.state);
    const verb = each.gone ? "" : each.state === "finished" || each.state === "abandoned" ? t("Replay") : held ? t("Resume") : t("Watch");
    return h("li", {},
      h("a", { href: `#/table/${each.table}`, "data-key": each.table },
        h("span", { class: `dot ${each.state}`, "aria-hidden": "true" }),
        h("span", { class: "who" }, h("strong", {}, localized(each.title)), " ", h("span", { class: "names" }, seatNames(each.seats).join(", "))),
        h("span", { class: "state" }, each.verdict ? withNames(each.verdict, seatNames(each.seats)) : [state, knownDeal(each) && ` · ${knownDeal(each)}`]),
        h("span", { class: "when" }, each.gone ? "" : ago(each.created)),
        h("span", { class: "verb" }, verb)),
      which === "mine" && mine.buttons(each),
      each.joinable && !held && button(t("Join"), () => later(import("./join.js"), "joinTable", shell, each.table), {
        class: "primary", "data-key": `join-${each.table}`, "aria-label": t("Join {title} with {names}", { title: each.title, names: seatNames(each.seats).join(", ") }),
      }));
  }

  drawTables();
  return {
    ready() {
      if (games.childElementCount === 0) {
        games.append(...shell.catalogue.filter((game) => !game.small).map(gameCard));
        const small = shell.catalogue.filter((game) => game.small);
        if (small.length) games.append(h("details", { class: "small-games" },
          h("summary", {}, h("strong", {}, `${t("Small games:")} `), small.map((game) => game.title).join(", ")),
          h("div", { class: "games" }, small.map(gameCard))));
        games.before(guideOffer(shell) ?? "");
      }
      subscribe();
      showUnfinished().catch(() => {}); // the list below has them, too
    },
    hear(message) {
      if (message.type !== "tables" && message.type !== "tables_changed") return false;
      if (message.which !== which || message.page !== page || (message.search ?? "") !== search.value.trim()) return true; // about a page no longer shown
      if (message.type === "tables") {
        tables = new Map(message.tables.map((each) => [each.table, each]));
        order = [...tables.keys()];
      } else {
        for (const each of message.changed ?? []) tables?.set(each.table, each);
        order = message.order ?? order;
      }
      pages = message.pages;
      if (page >= pages) turnTo(which, pages - 1);
      else drawTables();
      return true;
    },
    leave() {
      gone = true;
      clearTimeout(typed);
      mine.show(false);
      unfinished?.show(false);
      if (shell.connection.ready) shell.connection.send({ type: "lobby", on: false });
    },
  };
}

// The seats one can choose: by their titles, or in the order of the first moves.
function seatChoices(game, players) {
  const title = (seat) => game.seat_titles[seat] ?? (seat === 0 ? t("First") : seat === players - 1 ? t("Last") : t("Number {n}", { n: seat + 1 }));
  return [...Array.from({ length: players }, (_, seat) => [seat, title(seat)]), [RANDOM, t("Random")]];
}

export function botFor(game, level, players, seat) {
  const agents = levelAgents(game.levels.find((each) => each.name === level), players);
  return agents[seat % agents.length] ?? game.agents[0]?.name;
}
