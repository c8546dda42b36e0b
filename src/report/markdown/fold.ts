/** One thing at several lengths: from not at all (level 0, an empty text) to everything. */
export type Foldable = readonly string[];

/** Between two things: a blank line. */
const between = 2;

/**
 * The level of each of these, so that all together are at most so many characters. What is important stands first and
 * keeps most: a third of the room is for mentioning as many as possible, the rest for telling the first of them in full.
 */
export function fold(items: readonly Foldable[], room: number): readonly number[] {
  const most = Math.max(0, ...items.map((levels) => levels.length - 1));
  if (items.reduce((sum, levels) => sum + roomOf(levels.at(-1)), 0) <= room) {
    return items.map((levels) => levels.length - 1);
  }
  const chosen = items.map(() => 0);
  let used = 0;
  const raise = (to: number, limit: number): void => {
    for (const [index, levels] of items.entries()) {
      const from = chosen[index] ?? 0;
      const more = roomOf(levels[to]) - roomOf(levels[from]);
      if (levels[to] === undefined || from >= to || used + more > limit) continue;
      chosen[index] = to;
      used += more;
    }
  };
  raise(1, Math.floor(room / 3));
  for (let level = 2; level <= most; level += 1) raise(level, room);
  raise(1, room);
  return chosen;
}

function roomOf(text = ''): number {
  return text === '' ? 0 : text.length + between;
}
