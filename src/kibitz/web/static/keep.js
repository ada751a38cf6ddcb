// What this browser remembers: the visitor's name, the theme, and the keys to the seats taken here.

const KEPT_SEATS = 200;

function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`kibitz.${key}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(`kibitz.${key}`, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing can still play; it only cannot come back to its seat.
  }
}

export const name = () => read("name", "");
export const setName = (text) => write("name", text.slice(0, 40));

export const theme = () => read("theme", "auto");
export const setTheme = (value) => write("theme", value);

export const choice = (what, otherwise) => read(`choice.${what}`, otherwise);
export const setChoice = (what, value) => write(`choice.${what}`, value);

export const seat = (table) => read("seats", {})[table];

export function setSeat(table, held) {
  const seats = read("seats", {});
  seats[table] = { ...seats[table], ...held, at: Date.now() };
  const newest = Object.entries(seats).sort((one, other) => other[1].at - one[1].at);
  write("seats", Object.fromEntries(newest.slice(0, KEPT_SEATS)));
}

export function forgetSeat(table) {
  const seats = read("seats", {});
  delete seats[table];
  write("seats", seats);
}
