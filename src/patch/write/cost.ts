import { isArray, isObject, type JsonObject, type JsonValue, put } from '../../base/json/json.ts';

/** One entry of a patch object. */
export interface Entry {
  readonly key: string;
  readonly value: JsonValue;
}

/**
 * One way to write a change, and what it costs: first the leaves that it writes or removes (an empty object or list
 * is one leaf, a name in `$drop` or `$retain` too; the key by which `$patch` finds its item is an address and free),
 * then its bytes as JSON.
 */
export interface Candidate {
  readonly entries: readonly Entry[];
  readonly leaves: number;
}

/** The way to change nothing. */
export const nothing: Candidate = { entries: [], leaves: 0 };

export function countLeaves(value: JsonValue): number {
  let leaves = 0;
  if (isArray(value)) for (const item of value) leaves += countLeaves(item);
  else if (isObject(value)) for (const name of Object.keys(value)) leaves += countLeaves(value[name] ?? null);
  return Math.max(1, leaves);
}

/** One way that does all of it. */
export function together(parts: readonly Candidate[]): Candidate {
  return { entries: parts.flatMap(({ entries }) => entries), leaves: sumOf(parts.map(({ leaves }) => leaves)) };
}

/** The cheapest; of equally cheap ones the first. */
export function cheapest(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.length < 2 ? candidates[0] : candidates.toSorted(compareCost)[0];
}

/** Negative if `a` is cheaper. */
export function compareCost(a: Candidate, b: Candidate): number {
  return a.leaves - b.leaves || bytesOf(a) - bytesOf(b);
}

const utf8 = new TextEncoder();

/** Bytes of the entries in JSON, with the commas between them. */
export function bytesOf({ entries }: Candidate): number {
  return utf8.encode(JSON.stringify(objectOf(entries))).length - '{}'.length;
}

export function objectOf(entries: readonly Entry[]): JsonObject {
  const object: Record<string, JsonValue> = {};
  for (const { key, value } of entries) put(object, key, value);
  return object;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
