// Who sits where, by the names that texts of a game use for seats: G1, G2, …

export function seatNames(seats) {
  const plain = seats.map((seat, index) => {
    if (seat.kind === "open") return "open seat";
    return seat.for ? `${seat.name ?? seat.agent} for ${seat.for}` : seat.name || seat.agent || `G${index + 1}`;
  });
  return plain.map((name, index) => (plain.filter((other) => other === name).length > 1 ? `${name} ${index + 1}` : name));
}

// A game's sentence with people's names instead of G1, G2, …
export function withNames(text, names) {
  return String(text ?? "").replace(/\bG(\d)\b/g, (seat, number) => names[number - 1] ?? seat);
}

export function ago(seconds) {
  const minutes = Math.round((Date.now() / 1000 - seconds) / 60);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 60 * 24) return `${Math.round(minutes / 60)} h ago`;
  return new Date(seconds * 1000).toLocaleDateString();
}
