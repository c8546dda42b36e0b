import { isArray, isObject, type JsonArray, type JsonObject, type JsonValue, own, put } from '../base/json/json.ts';
import type { Problem } from '../schema/record/problem.ts';
import type { RecordContext } from '../schema/record/ref.ts';
import { isLiteral, type ObjectShape, type Shape } from '../schema/shape/shape.ts';
import { type Directive, isReserved, parseDirective } from './directive.ts';
import { type Identity, identityOf, inside, itemShape, memberShape, type Place, root } from './place.ts';

type Applied =
  | { readonly ok: true; readonly record: JsonObject }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * The record after a PATCH, or all problems of the patch document (platform/patch.directives).
 *
 * Order in one object: `$drop`, then `$replace/...`, then plain fields, then the directives of lists. The result is not
 * validated, normalised or coerced here, and `id` and `version` are ordinary fields: the caller handles these. Inputs
 * are not changed; unchanged parts are shared with them.
 */
export function applyPatch(shape: ObjectShape, live: JsonObject, patch: JsonObject, context: RecordContext): Applied {
  const problems: Problem[] = [];
  const record = mergeObject({ shape, place: root }, live, patch, { context, problems });
  return problems.length === 0 ? { ok: true, record } : { ok: false, problems };
}

interface Run {
  readonly context: RecordContext;
  readonly problems: Problem[];
}

/** A place of the document, with its shape. */
interface Spot {
  readonly shape: Shape;
  readonly place: Place;
}

function mergeObject({ shape, place }: Spot, live: JsonObject, patch: JsonObject, run: Run): JsonObject {
  const result: Record<string, JsonValue> = { ...live };
  const directives = readDirectives(patch, place, run.problems);

  for (const name of directives.drop) delete result[name];
  for (const [field, value] of directives.replace) {
    if (value === null) delete result[field];
    else put(result, field, newValue(memberShape(shape, field), value, inside(place, `$replace/${field}`), run));
  }
  for (const [name, value] of Object.entries(patch)) {
    if (isReserved(name)) continue;
    if (value === null) delete result[name];
    else {
      const at = { shape: memberShape(shape, name), place: inside(place, name) };
      put(result, name, mergeValue(at, own(result, name), value, run));
    }
  }
  for (const [field, operations] of directives.lists) {
    const list = { ...run, shape: memberShape(shape, field), field, place };
    const items = applyToList(own(result, field), operations, list);
    if (items !== undefined) put(result, field, items);
  }
  return result;
}

function mergeValue(at: Spot, live: JsonValue | undefined, value: JsonValue, run: Run): JsonValue {
  if (!isObject(value)) return newValue(at.shape, value, at.place, run);
  return mergeObject(at, isObject(live) ? live : {}, value, run);
}

/**
 * A value that replaces the previous one, or a list item. An object in it is merged into an empty one, so that it may
 * contain directives like any object; free-form JSON is taken literally.
 */
function newValue(shape: Shape, value: JsonValue, place: Place, run: Run): JsonValue {
  if (isLiteral(shape)) return value;
  if (isObject(value)) return mergeObject({ shape, place }, {}, value, run);
  if (isArray(value) && shape.type === 'list') {
    return value.map((item, index) => newValue(shape.item, item, inside(place, index), run));
  }
  return value;
}

/** A list that the directives of one object change. */
interface ListRun extends Run {
  readonly shape: Shape;
  readonly field: string;
  /** The place of the object with the directives. */
  readonly place: Place;
}

/**
 * The list after its directives, in this order: `$retain`, `$drop`, `$patch`, `$append`. A missing list counts as
 * empty; it stays absent if nothing is added.
 */
function applyToList(live: JsonValue | undefined, operations: ListOperations, run: ListRun): JsonArray | undefined {
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

/** Plain values can be named, but not merged into. */
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
  const { shape, field } = run;
  const result = [...items];
  // More than one if a key does not identify items uniquely.
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
      result.push(mergeObject({ shape: itemShape(shape), place: at }, {}, patch, run));
    } else {
      result[position] = mergeValue({ shape: itemShape(shape), place: at }, result[position], patch, run);
    }
  }
  return result;
}

function appendItems(items: JsonArray, added: JsonArray, identity: Identity | undefined, run: ListRun): JsonArray {
  const { shape, field } = run;
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
    result.push(newValue(itemShape(shape), item, at, run));
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

/** The operations of one object of a patch on one list. */
interface ListOperations {
  readonly retain?: readonly string[];
  readonly drop?: readonly string[];
  readonly patch?: readonly JsonObject[];
  readonly append?: JsonArray;
}

/** The directives in one object of a patch. */
interface Directives {
  readonly drop: readonly string[];
  readonly replace: ReadonlyMap<string, JsonValue>;
  readonly lists: ReadonlyMap<string, ListOperations>;
}

/** Malformed and unknown directives become problems. */
function readDirectives(patch: JsonObject, place: Place, problems: Problem[]): Directives {
  let drop: readonly string[] = [];
  const replace = new Map<string, JsonValue>();
  const lists = new Map<string, ListOperations>();
  for (const [key, value] of Object.entries(patch)) {
    if (!isReserved(key)) continue;
    const directive = parseDirective(key);
    if (directive?.name === '$replace') {
      replace.set(directive.field, value);
    } else if (directive?.name === '$drop-fields') {
      const names = strings(value);
      if (names === undefined) problems.push(malformed(key, 'a list of field names', place));
      else drop = names;
    } else if (directive !== undefined) {
      const operations = readOperations(directive, value);
      if (operations === undefined) problems.push(malformed(key, wanted[directive.name], place));
      else lists.set(directive.field, { ...lists.get(directive.field), ...operations });
    } else {
      const hint = 'Known are $drop, and $replace/, $drop/, $append/, $patch/ and $retain/ with the name of a field.';
      problems.push(patchProblem('patch.unknown-directive', inside(place, key), `${key} is not a directive`, hint));
    }
  }
  return { drop, replace, lists };
}

type ListWord = Exclude<Directive['name'], '$replace' | '$drop-fields'>;

const wanted: Readonly<Record<ListWord, string>> = {
  $retain: 'a list of strings that name items',
  $drop: 'a list of strings that name items',
  $patch: 'a list of objects',
  $append: 'a list of items',
};

function readOperations(directive: Directive, value: JsonValue): ListOperations | undefined {
  if (!isArray(value)) return undefined;
  if (directive.name === '$append') return { append: value };
  if (directive.name === '$patch') return value.every(isObject) ? { patch: value } : undefined;
  const names = strings(value);
  if (names === undefined) return undefined;
  return directive.name === '$retain' ? { retain: names } : { drop: names };
}

function strings(value: JsonValue): readonly string[] | undefined {
  if (!isArray(value)) return undefined;
  const texts = value.filter((item) => typeof item === 'string');
  return texts.length === value.length ? texts : undefined;
}

function malformed(key: string, form: string, place: Place): Problem {
  return patchProblem('patch.malformed', inside(place, key), `${key} takes ${form}`, `Write ${form}.`);
}

/** Rule ids for problems of a patch document itself (platform/patch.directives). */
type PatchRule =
  | 'patch.unknown-directive'
  | 'patch.malformed'
  | 'patch.not-a-list'
  | 'patch.unkeyed-list'
  | 'patch.missing-key'
  | 'patch.append-exists'
  | 'patch.ambiguous-key';

function patchProblem(rule: PatchRule, place: Place, message: string, hint: string): Problem {
  return { rule, path: place.path, pointer: place.pointer, message, hint, severity: 'error' };
}
