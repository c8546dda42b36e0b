import { isList, isObject, type Json, type JsonObject, object, textOf } from './json.ts';
import type { SwitchName } from './switches.ts';

/** Section 4.2 of the specification, with its open points as choices. */
export interface PatchRules {
  readonly nulls: 'remove' | 'ignore' | 'store' | 'refuse';
  readonly directives: 'all' | 'drop' | 'no-patch' | 'store-list-directives';
  readonly lists: 'replace' | 'merge-by-key' | 'append';
  readonly items: 'key' | 'other-key' | 'index';
}

type Choice<Name extends keyof PatchRules> = readonly (readonly [SwitchName, PatchRules[Name]])[];

const nulls: Choice<'nulls'> = [
  ['null-ignored', 'ignore'],
  ['null-stored', 'store'],
  ['null-refused', 'refuse'],
];
const directives: Choice<'directives'> = [
  ['only-drop', 'drop'],
  ['list-directives-stored', 'store-list-directives'],
  ['patch-refused', 'no-patch'],
];

export function rulesOf(on: (name: SwitchName) => boolean): PatchRules {
  return {
    nulls: nulls.find(([name]) => on(name))?.[1] ?? 'remove',
    directives: directives.find(([name]) => on(name))?.[1] ?? 'all',
    lists: on('lists-merged') ? 'merge-by-key' : on('lists-appended') ? 'append' : 'replace',
    items: on('items-by-other-key') ? 'other-key' : on('items-by-index') ? 'index' : 'key',
  };
}

export class RefusedPatch extends Error {}

const keys: Readonly<Record<string, readonly [usual: string, other: string]>> = {
  containers: ['name', 'image'],
  env: ['name', 'value'],
  ports: ['number', 'protocol'],
  volumes: ['path', 'uri'],
  routes: ['prefix', 'workloadLink'],
  localOptions: ['location', 'timeoutSeconds'],
};

function idOf(list: string, item: Json, index: number, rules: PatchRules): string {
  if (rules.items === 'index') return String(index);
  if (!isObject(item)) return String(item);
  const [usual, other] = keys[list] ?? ['name', 'name'];
  return String(item[rules.items === 'key' ? usual : other] ?? item['name'] ?? index);
}

const directive = /^\$(drop|replace|append|patch|retain)(?:\/(.+))?$/;

/** The record after the patch. */
export function patched(target: JsonObject, patch: JsonObject, rules: PatchRules): JsonObject {
  const result: Record<string, Json> = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    const [, word, field] = directive.exec(key) ?? [];
    if (word === undefined) plain(result, key, value, rules);
    else direct(result, key, word, field, value, rules);
  }
  return object(result);
}

function plain(result: Record<string, Json>, key: string, value: Json, rules: PatchRules): void {
  if (key.startsWith('$')) throw new RefusedPatch(`unknown directive ${key}`);
  const before = result[key];
  if (value === null) {
    if (rules.nulls === 'refuse') throw new RefusedPatch(`${key} is null`);
    if (rules.nulls === 'remove') delete result[key];
    if (rules.nulls === 'store') result[key] = null;
  } else if (isObject(value)) {
    const base = isObject(before) ? before : {};
    result[key] = patched(base, value, rules);
  } else if (isList(value) && isList(before) && rules.lists !== 'replace') {
    result[key] = rules.lists === 'append' ? [...before, ...value] : mergedLists(key, before, value, rules);
  } else {
    result[key] = isList(value) ? value.map((item) => clean(item, rules)) : value;
  }
}

/** An item of a new list: a partial object merged into nothing. */
function clean(item: Json, rules: PatchRules): Json {
  return isObject(item) ? patched({}, item, rules) : item;
}

function mergedLists(
  list: string,
  before: readonly Json[],
  value: readonly Json[],
  rules: PatchRules,
): readonly Json[] {
  const result = [...before];
  for (const [index, item] of value.entries()) {
    const at = before.findIndex((one, position) => idOf(list, one, position, rules) === idOf(list, item, index, rules));
    const old = before[at];
    if (at === -1) result.push(clean(item, rules));
    else result[at] = isObject(old) && isObject(item) ? patched(old, item, rules) : item;
  }
  return result;
}

function direct(
  result: Record<string, Json>,
  key: string,
  word: string,
  field: string | undefined,
  value: Json,
  rules: PatchRules,
): void {
  const isPlainDrop = word === 'drop' && field === undefined;
  if (rules.directives === 'store-list-directives' && !isPlainDrop && word !== 'replace') {
    result[key] = value;
    return;
  }
  const isKnown =
    rules.directives === 'all' ||
    rules.directives === 'store-list-directives' ||
    (rules.directives === 'no-patch' && word !== 'patch') ||
    (rules.directives === 'drop' && isPlainDrop);
  if (!isKnown) throw new RefusedPatch(`unknown directive ${key}`);
  if (isPlainDrop) {
    for (const name of listed(key, value)) delete result[textOf(name)];
    return;
  }
  if (field === undefined) throw new RefusedPatch(`${key} names no field`);
  if (word === 'replace') {
    result[field] = value;
    return;
  }
  const list = listed(field, result[field] ?? []);
  const items = listed(key, value);
  const named = (item: Json, index: number) => items.some((id) => String(id) === idOf(field, item, index, rules));
  if (word === 'append') result[field] = [...list, ...items];
  if (word === 'drop') result[field] = list.filter((item, index) => !named(item, index));
  if (word === 'retain') result[field] = list.filter(named);
  if (word === 'patch') {
    for (const [index, item] of items.entries()) {
      const id = idOf(field, item, index, rules);
      if (list.some((one, position) => idOf(field, one, position, rules) === id)) continue;
      throw new RefusedPatch(`${key}: no item ${id}`);
    }
    result[field] = mergedLists(field, list, items, rules);
  }
}

function listed(key: string, value: Json): readonly Json[] {
  if (!isList(value)) throw new RefusedPatch(`${key} is not a list`);
  return value;
}
