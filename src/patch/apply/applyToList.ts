import { isArray, type JsonArray, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import type { Problem } from '../../schema/record/problem.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import { type Identity, identityOf } from '../model/identity.ts';
import { inside, type PatchRule, type Place, patchProblem } from '../model/place.ts';
import { itemShape } from '../model/shapeInside.ts';
import type { ListOperations } from './readDirectives.ts';

/** How an item is made or changed; given by `applyPatch`, which knows the rest of the language. */
export interface ItemRules {
  readonly make: (shape: Shape, value: JsonValue, place: Place) => JsonValue;
  readonly merge: (shape: Shape, live: JsonValue, patch: JsonObject, place: Place) => JsonValue;
}

export interface ListRun {
  readonly shape: Shape;
  readonly field: string;
  /** Of the object that carries the directives. */
  readonly place: Place;
  readonly context: RecordContext;
  readonly problems: Problem[];
  readonly rules: ItemRules;
}

/**
 * The list after its directives, in their order: `$retain`, `$drop`, `$patch`, `$append`.
 * A list that is not there is an empty one; it stays absent when nothing is added.
 */
export function applyToList(
  live: JsonValue | undefined,
  operations: ListOperations,
  run: ListRun,
): JsonArray | undefined {
  const { shape, field } = run;
  const words = wordsOf(operations);
  const notAList = (live !== undefined && !isArray(live)) || (shape.type !== 'list' && shape.type !== 'free');
  if (notAList) {
    for (const word of words)
      report(run, 'patch.not-a-list', word, [`${field} is not a list`, 'Set or replace the field.']);
    return undefined;
  }

  const before = isArray(live) ? live : [];
  const identity = identityOf(shape, before, run.context);
  const refused = words.filter((word) => word !== '$append' && !canName(identity, word));
  const unkeyed = `the items of ${field} have no key`;
  for (const word of refused)
    report(run, 'patch.unkeyed-list', word, [unkeyed, 'Send the whole list, or append to it.']);
  if (refused.length > 0) return undefined;

  let items: readonly JsonValue[] = before;
  if (identity !== undefined) {
    items = retainAndDrop(items, operations, identity);
    if (operations.patch !== undefined) items = patchItems(items, operations.patch, identity, run);
  }
  if (operations.append !== undefined) items = appendItems(items, operations.append, identity, run);
  return live === undefined && items.length === 0 ? undefined : items;
}

/** Plain values can be named, but there is nothing in them to merge into. */
function canName(identity: Identity | undefined, word: string): boolean {
  return identity !== undefined && (word !== '$patch' || identity.by === 'key');
}

function wordsOf({ retain, drop, patch, append }: ListOperations): readonly string[] {
  const words: string[] = [];
  if (retain !== undefined) words.push('$retain');
  if (drop !== undefined) words.push('$drop');
  if (patch !== undefined) words.push('$patch');
  if (append !== undefined) words.push('$append');
  return words;
}

function retainAndDrop(items: JsonArray, { retain, drop }: ListOperations, identity: Identity): JsonArray {
  let remaining = items;
  if (retain !== undefined) {
    const names = new Set<string | undefined>(retain.map(identity.ofText));
    remaining = remaining.filter((item) => names.has(identity.ofItem(item)));
  }
  if (drop !== undefined) {
    const names = new Set<string | undefined>(drop.map(identity.ofText));
    remaining = remaining.filter((item) => !names.has(identity.ofItem(item)));
  }
  return remaining;
}

function patchItems(items: JsonArray, patches: readonly JsonObject[], identity: Identity, run: ListRun): JsonArray {
  const { shape, rules, field } = run;
  const result = [...items];
  // More than one where a key does not tell the items apart.
  const positions = Map.groupBy(items.keys(), (position) => identity.ofItem(items[position] ?? null));
  for (const [index, patch] of patches.entries()) {
    const key = identity.ofPatch(patch);
    const at = inside(inside(run.place, `$patch/${field}`), index, key ?? String(index));
    if (key === undefined) {
      const hint = 'Name the item by the field that identifies it.';
      run.problems.push(
        patchProblem('patch.missing-key', at, `the item does not say which one of ${field} it is`, hint),
      );
      continue;
    }
    const [position, ...others] = positions.get(key) ?? [];
    if (others.length > 0) {
      const hint = 'Send the whole list.';
      const count = others.length + 1;
      run.problems.push(patchProblem('patch.ambiguous-key', at, `${field} has ${count} items ${key}`, hint));
    } else if (position === undefined) {
      positions.set(key, [result.length]);
      result.push(rules.merge(itemShape(shape), {}, patch, at));
    } else {
      result[position] = rules.merge(itemShape(shape), result[position] ?? {}, patch, at);
    }
  }
  return result;
}

function appendItems(items: JsonArray, added: JsonArray, identity: Identity | undefined, run: ListRun): JsonArray {
  const { shape, rules, field } = run;
  const isSet = shape.facts.list?.class === 'set';
  const keys = new Set(items.map((item) => identity?.ofItem(item)));
  const result = [...items];
  for (const [index, item] of added.entries()) {
    const key = identity?.ofItem(item);
    const at = inside(inside(run.place, `$append/${field}`), index, key ?? String(index));
    const exists = key !== undefined && keys.has(key);
    if (exists && isSet) continue;
    if (exists && identity?.by === 'key') {
      const hint = 'Change it with $patch.';
      run.problems.push(patchProblem('patch.append-exists', at, `${field} has an item ${key} already`, hint));
      continue;
    }
    keys.add(key);
    result.push(rules.make(itemShape(shape), item, at));
  }
  return result;
}

function report(
  run: ListRun,
  rule: PatchRule,
  word: string,
  [message, hint]: readonly [message: string, hint: string],
): void {
  run.problems.push(patchProblem(rule, inside(run.place, `${word}/${run.field}`), message, hint));
}
