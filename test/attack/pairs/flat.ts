import { isArray, isObject, type JsonObject, type JsonValue } from '../../../src/base/json/json.ts';

/**
 * A record as a map of paths, so that an oracle can decide on each value alone. Segments are joined by `|`. An item of
 * a list with a key is a path too (`spec|env|A`), with the value `true` and its fields below; so is a member of a set.
 * Values that are lists without identity (`args`) are one value.
 */
export type Flat = Map<string, JsonValue>;

/** How to identify the items of a list, by the path of the list; `*` is any one segment. */
export interface ListForm {
  readonly at: string;
  /** The alternative key fields: an item uses the first that it has. Absent for a set of plain values. */
  readonly key?: readonly string[];
}

export function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('|'), path.split('|')];
  return (
    wanted.length === given.length && wanted.every((segment, index) => segment === '*' || segment === given[index])
  );
}

/** Whether `path` equals `other`, or is below it. */
export function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}|`);
}

const ofThePlatform = new Set([
  ...[
    'id',
    'kind',
    'version',
    'created',
    'lastModified',
    'links',
    'status',
    'health',
    'alias',
    'origin',
    'gvc',
    'name',
  ],
  ...['lifecycle'],
]);

/** The part of a record that clients write, without Gantry's own tags. */
export function flatten(lists: readonly ListForm[], record: JsonObject): Flat {
  const flat: Flat = new Map();
  for (const [key, value] of Object.entries(record)) if (!ofThePlatform.has(key)) flattenInto(flat, lists, key, value);
  for (const path of [...flat.keys()]) if (path.startsWith('tags|gantry/')) flat.delete(path);
  return flat;
}

function flattenInto(flat: Flat, lists: readonly ListForm[], path: string, value: JsonValue): void {
  if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) flattenInto(flat, lists, `${path}|${key}`, member);
    return;
  }
  const list = lists.find(({ at }) => matches(at, path));
  if (!isArray(value) || list === undefined) {
    if (path.startsWith('tags|')) flat.set(path, String(value));
    else if (!isArray(value) || value.length > 0) flat.set(path, value);
    return;
  }
  for (const item of value) {
    const found = isObject(item) ? list.key?.find((field) => item[field] !== undefined) : undefined;
    const key = isObject(item) ? String(found === undefined ? JSON.stringify(item) : item[found]) : String(item);
    flat.set(`${path}|${key}`, true);
    if (!isObject(item)) continue;
    for (const [field, member] of Object.entries(item)) {
      if (field !== found) flattenInto(flat, lists, `${path}|${key}|${field}`, member);
    }
  }
}

type Node = Map<string, Node | JsonValue>;

export function unflatten(lists: readonly ListForm[], flat: Flat): JsonObject {
  const root: Node = new Map();
  for (const [path, value] of flat) {
    let node = root;
    const segments = path.split('|');
    for (const segment of segments.slice(0, -1)) {
      const next = node.get(segment);
      const child: Node = next instanceof Map ? next : new Map();
      node.set(segment, child);
      node = child;
    }
    const last = segments.at(-1) ?? '';
    if (!(node.get(last) instanceof Map)) node.set(last, value);
  }
  return objectOf(lists, root, '');
}

function objectOf(lists: readonly ListForm[], node: Node, at: string): JsonObject {
  return Object.fromEntries(
    [...node].map(([key, value]) => [key, jsonOf(lists, value, at === '' ? key : `${at}|${key}`)]),
  );
}

function jsonOf(lists: readonly ListForm[], value: Node | JsonValue, at: string): JsonValue {
  if (!(value instanceof Map)) return value;
  const list = lists.find((form) => matches(form.at, at));
  if (list === undefined) return objectOf(lists, value, at);
  return [...value].map(([key, member]) => {
    const fields = member instanceof Map ? objectOf(lists, member, `${at}|${key}`) : {};
    return list.key === undefined ? key : { [keyField(list.key, key)]: keyValue(list.key, key), ...fields };
  });
}

/** Chooses between `prefix` and `regex`: a key that begins with a slash is a prefix. */
function keyField(fields: readonly string[], key: string): string {
  return (key.startsWith('/') ? fields[0] : fields.at(-1)) ?? '';
}

function keyValue(fields: readonly string[], key: string): JsonValue {
  return fields[0] === 'number' ? Number(key) : key;
}

/** A path as manifests write it, with the name of a link that is a key. */
export function dotted(path: string): string {
  return path
    .split('|')
    .map((segment) => segment.replace(/^\/org\/.*\//, ''))
    .map((segment) => (/^[\w-]+$/.test(segment) || segment === '*' ? segment : JSON.stringify(segment)))
    .join('.');
}
