import { onceFor } from '../once.ts';

/** More distinct missing names than this are not typos, and searching for thousands would take minutes. */
const mostSought = 50;

/** Searches for the intended name once for each name, and only for a limited number of names. */
export function suggestFirst<Name, T>(look: (name: Name) => T | undefined): (name: Name) => T | undefined {
  let left = mostSought;
  return onceFor((name) => {
    left -= 1;
    return left < 0 ? undefined : look(name);
  });
}

/**
 * The candidate that was probably meant: the nearest by edits (a swap of neighbours counts as one), within a third of
 * its length, at least one. Case is ignored. Ties: the first candidate.
 */
export function suggest(written: string, candidates: Iterable<string>): string | undefined {
  const meant = written.toLowerCase();
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const limit = Math.max(1, Math.floor(Math.max(candidate.length, written.length) / 3));
    if (Math.abs(candidate.length - written.length) > limit) continue;
    const distance = editDistance(meant, candidate.toLowerCase(), Math.min(limit, bestDistance - 1));
    if (distance === undefined) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/**
 * The number of insertions, deletions, replacements and swaps of neighbours from one text to the other. Undefined if
 * above `most`, which the first differing letters mostly show. A plan may search ten thousand names, most of which
 * begin and end alike.
 */
function editDistance(given: string, other: string, most: number): number | undefined {
  let start = 0;
  let [endOfGiven, endOfOther] = [given.length, other.length];
  while (start < Math.min(endOfGiven, endOfOther) && given[start] === other[start]) start++;
  while (Math.min(endOfGiven, endOfOther) > start && given[endOfGiven - 1] === other[endOfOther - 1]) {
    endOfGiven--;
    endOfOther--;
  }
  const [a, b] = [given.slice(start, endOfGiven), other.slice(start, endOfOther)];
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const step = Math.min((last[j - 1] ?? 0) + (same ? 0 : 1), (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(swapped ? Math.min(step, (beforeLast[j - 2] ?? 0) + 1) : step);
    }
    if (Math.min(...row) > most && Math.min(...last) > most) return undefined;
    beforeLast = last;
    last = row;
  }
  const distance = last[b.length] ?? 0;
  return distance > most ? undefined : distance;
}
