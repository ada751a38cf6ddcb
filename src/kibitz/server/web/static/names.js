// @ts-check
// Display names of bots and rules, bots' strength in words, and rules that differ from the defaults.

import { h, redraw } from "./dom.js";
import { localized, t } from "./texts.js";

let games = [];

// The games of the catalogue with their texts in the visitor's language. The names of levels are needed as they are.
export const translatedGames = (games) => games.map((game) => ({
  ...game,
  ...texts(game, "title", "description", "late_words"),
  seat_titles: game.seat_titles.map(localized),
  levels: game.levels.map((level) => ({ ...level, ...texts(level, "help") })),
  rules: game.rules.map((rule) => ({ ...rule, ...texts(rule, "title"), words: Object.fromEntries(Object.entries(rule.words).map(([choice, words]) => [choice, texts(words, "title", "about")])) })),
  agents: game.agents.map((agent) => ({ ...agent, ...texts(agent, "summary", "description") })),
}));
const texts = (holder, ...names) => Object.fromEntries(names.map((name) => [name, localized(holder[name])]));

// The catalogue has all display names.
export function setCatalogue(catalogue) {
  games = catalogue ?? [];
}

const agentNamed = (name, game) => (game ? games.filter((each) => each.name === game) : games).flatMap((each) => each.agents).find((agent) => agent.name === name);

// A bot's title, or its name if it is not installed here.
export const botTitle = (name, game) => agentNamed(name, game)?.title ?? name;

// The name shown for a seat. Lists of older servers and records use command-line names of bots.
export function holderName(seat) {
  const name = seat.name || seat.agent;
  return seat.kind === "absent" || seat.name === seat.agent ? botTitle(name) : name;
}

const hundredth = (share) => Math.round(100 * share);

// A bot's strength in a few words, for a list.
export function strength(agent, players, game) {
  if (agent.people?.[players]) return t("{mean} points with people", { mean: agent.people[players].mean.toFixed(0) });
  const score = agent.scores?.[players];
  if (!score) return "";
  return game.best ? t("{mean} of {best} points with copies", { mean: score.mean.toFixed(0), best: game.best }) : t("wins {share} %", { share: hundredth(score.mean) });
}

// A bot's strength as a sentence that says what was measured.
export function strengthSentence(agent, players, game) {
  const score = agent.scores?.[players];
  const people = agent.people?.[players];
  const with_people = people ? `${t("With a model of real people and {n} players: {mean} of {best} points.", { n: players, mean: people.mean.toFixed(1), best: game.best })} ` : "";
  return with_people + withCopies(agent, score, players, game);
}

function withCopies(agent, score, players, game) {
  if (!score) return "";
  if (game.best) return t("Average with {n} players, all of them this bot: {mean} of {best} points.", { n: players, mean: score.mean.toFixed(1), best: game.best });
  const other = botTitle(score.against, game.name);
  const even = hundredth(1 / players);
  return t("With {n} players it wins {share} % of games against {other}; an equal player would win {even} %.", { n: players, share: hundredth(score.mean), other, even });
}

export const cheats = (agent) => Boolean(agent.traits?.includes("cheats"));

const mean = (scores, players) => {
  const found = players ? [scores?.[players]].filter(Boolean) : Object.values(scores ?? {});
  return found.length ? found.reduce((sum, each) => sum + each.mean, 0) / found.length : -1;
};

// The best partners first: by points with people, then by points with copies or by wins. Bots that cheat come last.
/** @param {any[]} agents @param {number} [players] all numbers, if left out */
export const ranked = (agents, players) => [...agents].sort((one, other) => Number(cheats(one)) - Number(cheats(other))
  || mean(other.people, players) - mean(one.people, players) || mean(other.scores, players) - mean(one.scores, players));

// The bots of the levels, the strongest first, and all others.
/** @param {any} game @param {number} [players] */
export function byLevel(game, players) {
  const at = (level) => (players ? levelAgents(level, players) : [...level.agents, ...Object.values(level.at ?? {}).flat()]);
  const inLevel = (agent) => game.levels.findLast((level) => at(level).includes(agent.name));
  const levels = game.agents.filter(inLevel).sort((one, other) => game.levels.indexOf(inLevel(other)) - game.levels.indexOf(inLevel(one)));
  return { levels, others: ranked(game.agents.filter((agent) => !inLevel(agent)), players), levelOf: (agent) => inLevel(agent)?.name };
}

// Honest advisers for a table: those that fit its players, and those that play by another code. Bots at the table, those
// of the levels, and those that score at least half as much with people as the best one fit.
const FITS = 0.5;
export function advisersFor(game, seats) {
  const able = ranked(game.agents.filter((agent) => !cheats(agent)), seats.length);
  const best = Math.max(...able.map((agent) => mean(agent.people, seats.length)));
  const known = [...seats.map((seat) => seat.agent), ...game.levels.flatMap((level) => levelAgents(level, seats.length))];
  const fits = (agent) => best < 0 || known.includes(agent.name) || mean(agent.people, seats.length) >= FITS * best;
  return { fitting: able.filter(fits), others: able.filter((agent) => !fits(agent)) };
}

// The bots of a level for a number of players.
export const levelAgents = (level, players) => level?.at?.[players] ?? level?.agents ?? [];

// The state of a table or of a run in words.
const STATES = {
  waiting: t("waiting"), running: t("running"), finished: t("finished"), abandoned: t("unfinished"),
  queued: t("queued"), cancelled: t("stopped"), done: t("done"), failed: t("failed"),
};
export const stateWords = (state) => STATES[state] ?? state;

// Rules

export const ruleWords = (rule, choice) => rule.words?.[choice] ?? { title: choice, about: "" };

// The rules of a table that differ from the defaults, with their titles and choices.
export function houseRules(game, rules, usual = "usual") {
  return (game?.rules ?? []).filter((rule) => rules?.[rule.name] !== undefined && rules[rule.name] !== rule[usual])
    .map((rule) => ({ title: rule.title, ...words(rule, rules[rule.name]) }));
}

function words(rule, choice) {
  const { title, about } = ruleWords(rule, choice);
  return { choice: title, about };
}

// A select for each rule of a game, with an explanation of the choice; `read` returns the choices.
export function ruleFields(game, chosen, field, usual = "usual", mark = ` (${t("usual")})`) {
  const rows = game.rules.map((rule) => {
    const select = h("select", { onchange: () => { describe(); follow(rule, select.value); } });
    for (const choice of rule.choices) {
      select.append(h("option", { value: choice }, ruleWords(rule, choice).title + (choice === rule[usual] ? mark : "")));
    }
    select.value = rule.choices.includes(chosen?.(rule)) ? chosen(rule) : rule[usual];
    const row = field(rule.title, select, "…");
    const line = row.querySelector("small");
    line.setAttribute("aria-live", "polite");
    function describe() {
      line.textContent = ruleWords(rule, select.value).about;
    }
    describe();
    return { rule, select, row, describe };
  });
  // A rule whose default depends on the choice of another takes that default when the other changes.
  function follow(changed, choice) {
    for (const { rule, select, describe } of rows) {
      const fitting = Object.entries(rule.defaults ?? {}).filter(([given]) => given.startsWith(`${changed.name}=`));
      if (fitting.length === 0) continue;
      select.value = rule.defaults[`${changed.name}=${choice}`] ?? rule[usual];
      describe();
    }
  }
  return {
    rows: rows.map(({ row }) => row),
    read: () => Object.fromEntries(rows.map(({ rule, select }) => [rule.name, select.value])),
  };
}

// The list of house rules at the head of a table; it stays open across redraws.
export function rulesNote() {
  const list = h("ul", {});
  const element = h("details", { class: "rules-note", hidden: true }, h("summary", { class: "tag" }, t("House rules")), list);
  let shown = "";
  return {
    element,
    update(game, rules) {
      const others = houseRules(game, rules);
      const now = JSON.stringify(others);
      if (now === shown) return;
      shown = now;
      element.hidden = others.length === 0;
      redraw(list, others.map(({ title, choice, about }) => h("li", {}, h("strong", {}, `${title}: `), `${choice}. `, h("span", { class: "muted" }, about))));
    },
  };
}
