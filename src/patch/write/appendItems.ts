import { type JsonArray, sameJson } from '../../base/json/json.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import { identityOf } from '../model/identity.ts';
import { type Candidate, countLeaves, nothing } from './cost.ts';
import { isSet } from './nameItems.ts';
import type { ItemWriter } from './writeOptions.ts';

/** `$append` alone, which needs no key; undefined unless the lists differ by new items at the end. */
export function onlyAppended(
  shape: Shape,
  field: string,
  live: JsonArray,
  target: JsonArray,
  writer: ItemWriter,
): Candidate | undefined {
  if (!live.every((item, index) => sameJson(item, target[index]))) return undefined;
  if (isTaken(shape, live, target, writer)) return undefined;
  return appendItems(shape, field, target.slice(live.length), writer);
}

/** `$append` leaves out what is in a set, and refuses an item whose key is there. */
function isTaken(shape: Shape, live: JsonArray, target: JsonArray, { context }: ItemWriter): boolean {
  if (isSet(shape)) return true;
  const identity = identityOf(shape, live, context);
  if (identity?.by !== 'key') return false;
  const keys = target.map(identity.ofItem);
  return keys.some((key, index) => index >= live.length && key !== undefined && keys.indexOf(key) < index);
}

/** Undefined: an item cannot be written. */
export function appendItems(shape: Shape, field: string, items: JsonArray, writer: ItemWriter): Candidate | undefined {
  if (items.length === 0) return nothing;
  const value = writer.made(shape, items);
  return value === undefined
    ? undefined
    : { entries: [{ key: `$append/${field}`, value }], leaves: countLeaves(items) };
}
