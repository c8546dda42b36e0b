/** Names that are looked for in one check. So many different ones are no slips, and thousands would take minutes. */
export const mostSought = 200;

/**
 * The candidate that was probably meant: the nearest by edits (a swap of neighbours counts as one), if it is near
 * enough: a third of its length, at least one. Case does not count. Ties: the first candidate.
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
 * Insertions, deletions, replacements and swaps of neighbours that lead from one text to the other. Undefined: more than
 * `most`. A plan may look for thousands of names among thousands, most of which begin and end alike.
 */
function editDistance(given: string, other: string, most: number): number | undefined {
  let start = 0;
  let [a, b] = [given.length, other.length];
  while (start < a && start < b && given.charCodeAt(start) === other.charCodeAt(start)) start++;
  while (a > start && b > start && given.charCodeAt(a - 1) === other.charCodeAt(b - 1)) {
    a--;
    b--;
  }
  if (a - start > wordBits) return distanceByRows(given.slice(start, a), other.slice(start, b), most);
  for (let i = start; i < a; i++) {
    const letter = given.charCodeAt(i);
    placesOf[letter] = (placesOf[letter] ?? 0) | (1 << (i - start));
  }
  const distance = distanceByBits(a - start, other, { from: start, to: b, most });
  for (let i = start; i < a; i++) placesOf[given.charCodeAt(i)] = 0;
  return distance;
}

const wordBits = 32;

/** The places of each letter in the text that is looked for, as bits; all 0 between two searches. */
const placesOf = new Int32Array(2 ** 16);

interface Part {
  readonly from: number;
  readonly to: number;
  readonly most: number;
}

/**
 * The table of distances with a column in the bits of two words, which say where it rises and where it falls (Myers 1999;
 * with swaps, Hyyrö 2003).
 */
function distanceByBits(length: number, other: string, { from, to, most }: Part): number | undefined {
  if (length === 0) return to - from > most ? undefined : to - from;
  const lastPlace = 1 << (length - 1);
  let [rises, falls, zeros, before, distance] = [-1, 0, 0, 0, length];
  for (let j = from; j < to && distance - (to - j) <= most; j++) {
    const places = placesOf[other.charCodeAt(j)] ?? 0;
    const swaps = ((~zeros & places) << 1) & before;
    zeros = (((places & rises) + rises) ^ rises) | places | falls | swaps;
    const risesAside = falls | ~(zeros | rises);
    const fallsAside = zeros & rises;
    if ((risesAside & lastPlace) !== 0) distance++;
    if ((fallsAside & lastPlace) !== 0) distance--;
    const risesBelow = (risesAside << 1) | 1;
    rises = (fallsAside << 1) | ~(zeros | risesBelow);
    falls = zeros & risesBelow;
    before = places;
  }
  return distance > most ? undefined : distance;
}

/** The same for long texts, row by row. */
function distanceByRows(a: string, b: string, most: number): number | undefined {
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
