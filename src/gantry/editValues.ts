import { isAlias, isCollection, isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { isArray, isObject, type JsonValue, own, put, sameJson } from '../base/json/json.ts';
import { parseYaml } from '../manifest/text/parseYaml.ts';

/** A value that is to stand at `to` as it stands at `from`, in one YAML text. */
export interface Carry {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/**
 * Changes a YAML text, so that everything else of it stays as it is: comments, order, quotes, blank lines. Undefined
 * where no small change of the text gives exactly the change that is meant (an alias, for example).
 */
export function editValues(text: string, carries: readonly Carry[]): string | undefined {
  let edited = text;
  for (const { from, to } of carries) {
    const leaf = leavesOf(valueAt(edited, from), valueAt(edited, to), []);
    for (const below of leaf) {
      const next = carryOne(edited, [...from, ...below], [...to, ...below]);
      if (next === undefined) return undefined;
      edited = next;
    }
  }
  return edited;
}

/** The one document in the text. */
export function documentIn(text: string): JsonValue | undefined {
  const { documents, problems } = parseYaml(text, '');
  return problems.length === 0 && documents.length === 1 ? documents[0]?.value : undefined;
}

function valueAt(text: string, path: readonly string[]): JsonValue | undefined {
  let value = documentIn(text);
  for (const key of path) value = isArray(value) ? value[Number(key)] : isObject(value) ? own(value, key) : undefined;
  return value;
}

/**
 * The values that have to be changed; an empty path: all of it. Members that only the other object has stay; lists of
 * the same length are changed item by item.
 */
function leavesOf(
  from: JsonValue | undefined,
  to: JsonValue | undefined,
  path: readonly string[],
): readonly (readonly string[])[] {
  if (isArray(from) && isArray(to) && from.length === to.length) {
    return from.flatMap((item, index) => leavesOf(item, to[index], [...path, String(index)]));
  }
  if (!isObject(from) || !isObject(to)) return [path];
  return Object.keys(from).flatMap((key) => leavesOf(own(from, key), own(to, key), [...path, key]));
}

/** Undefined: not in this way. */
function carryOne(text: string, from: readonly string[], to: readonly string[]): string | undefined {
  const document = documentIn(text);
  const value = valueAt(text, from);
  if (document === undefined || value === undefined) return undefined;
  const wanted = withValue(document, to, value);
  const source = sourceAt(text, from);
  const written = [...(source === undefined ? [] : [source]), JSON.stringify(value)];
  for (const each of written) {
    for (const edited of editsOf(text, to, each)) {
      if (sameJson(documentIn(edited), wanted) && sourceAt(edited, to) === each) return edited;
    }
  }
  return undefined;
}

function withValue(document: JsonValue, [key, ...rest]: readonly string[], value: JsonValue): JsonValue {
  if (key === undefined) return value;
  if (isArray(document)) {
    return document.map((item, index) => (String(index) === key ? withValue(item, rest, value) : item));
  }
  if (!isObject(document)) return withValue({}, [key, ...rest], value);
  const made: Record<string, JsonValue> = {};
  for (const [name, member] of Object.entries(document)) put(made, name, member);
  put(made, key, withValue(own(document, key) ?? {}, rest, value));
  return made;
}

function rootOf(text: string): Node | null {
  return parseDocument(text, { merge: true, uniqueKeys: false, logLevel: 'silent' }).contents;
}

/** The text of a value that stands in one line, with its quotes; undefined for any other. */
function sourceAt(text: string, path: readonly string[]): string | undefined {
  const node = nodeAt(rootOf(text), path);
  const [start = 0, end = 0] = node?.range ?? [];
  const source = text.slice(start, end);
  return node === undefined || isAlias(node) || source === '' || /[\r\n]/.test(source) ? undefined : source;
}

function nodeAt(root: Node | null, path: readonly string[]): Node | undefined {
  let node: unknown = root;
  for (const key of path) {
    node = isSeq(node) ? node.items[Number(key)] : isMap(node) ? pairIn(node, key)?.value : undefined;
  }
  return isNodeWithRange(node) ? node : undefined;
}

function pairIn(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
}

function isNodeWithRange(node: unknown): node is Node {
  return typeof node === 'object' && node !== null && 'range' in node;
}

/** The texts that may have the value at the place, the best first. */
function editsOf(text: string, path: readonly string[], written: string): readonly string[] {
  const root = rootOf(text);
  const node = nodeAt(root, path);
  if (node !== undefined) return isAlias(node) ? [] : replaced(text, node, written);
  const known = path.findLastIndex((_, index) => nodeAt(root, path.slice(0, index)) !== undefined);
  const map = nodeAt(root, path.slice(0, known));
  const [key = '', ...below] = path.slice(known);
  const value = below.reduceRight((inner, name) => `{${keyText(name)}: ${inner}}`, written);
  return isMap(map) ? added(text, map, `${keyText(key)}: ${value}`) : [];
}

function keyText(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) && !/^(?:true|false|null|yes|no|on|off)$/i.test(key) ? key : JSON.stringify(key);
}

function replaced(text: string, node: Node, written: string): readonly string[] {
  const [start, end] = node.range ?? [0, 0, 0];
  if (isCollection(node) && /(?:^|\s)#/m.test(text.slice(start, end))) return []; // a comment in it would be lost
  const before = text.slice(0, start);
  const space = /[\s[{,]$/.test(before) ? '' : ' ';
  // What stands in several lines ends with the end of its last.
  const behind = start + text.slice(start, end).trimEnd().length;
  return [`${before}${space}${written}${text.slice(behind)}`];
}

/** Behind the last entry of an object, or else in an empty one. */
function added(text: string, map: YAMLMap, entry: string): readonly string[] {
  const [start, end] = map.range ?? [0, 0, 0];
  const last = map.items.at(-1);
  if (map.flow === true) {
    const close = text.lastIndexOf('}', end - 1);
    const behind = text.slice(0, close).trimEnd();
    const space = text.slice(behind.length, close);
    return [`${behind}${last === undefined ? '' : ','} ${entry}${space}${text.slice(close)}`];
  }
  const first = map.items[0]?.key;
  if (!isNodeWithRange(first)) return [];
  const lineStart = text.lastIndexOf('\n', (first.range?.[0] ?? start) - 1) + 1;
  const indent = text.slice(lineStart, first.range?.[0] ?? start);
  if (indent.trim() !== '') return [];
  const lastEnd = endOf(last) ?? end;
  const lineEnd = text.indexOf('\n', lastEnd - (text[lastEnd - 1] === '\n' ? 1 : 0));
  const at = lineEnd < 0 ? text.length : lineEnd;
  return [`${text.slice(0, at)}\n${indent}${entry}${text.slice(at)}`];
}

/** Where the value of an entry ends, without comments behind it. */
function endOf(pair: Pair | undefined): number | undefined {
  const { key, value } = pair ?? {};
  const inner = isMap(value) ? endOf(value.items.at(-1)) : undefined;
  if (inner !== undefined && isMap(value) && value.flow !== true) return inner;
  const node = isNodeWithRange(value) ? value : isNodeWithRange(key) ? key : undefined;
  return node?.range?.[1];
}
