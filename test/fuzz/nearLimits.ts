import { isArray, isObject, type JsonObject, type JsonValue } from '../../src/base/json/json.ts';
import {
  maxBodyBytes,
  maxBodyDepth,
  maxBodyValues,
  maxListItems,
  maxObjectMembers,
} from '../../src/schema/facts/limits.ts';
import type { Dice } from './dice.ts';

/** Reserve for the rest of the body. */
const room = 20_000;
const values = maxBodyValues - 500;

/** Texts that are hard for patterns: repetitions and prefixes. */
// biome-ignore format: a row is a case
const texts = [
  'x', 'a-', 'a.', ' ', '0', '//gvc/', '$&{', 'scheme://', '1.2.', 'é', '*', '{{', '/', '"', '\\', '\u0000', 'a@',
] as const;

function longText(dice: Dice, length: number): string {
  const part = dice.one(texts);
  return part.repeat(Math.max(1, Math.floor(length / JSON.stringify(part).length)));
}

/** A document with one place as large as the limits of a body allow. */
export function enlarged(value: JsonValue, dice: Dice, mostBytes = maxBodyBytes): JsonValue {
  const bytes = mostBytes - room;
  if (isArray(value)) {
    const index = dice.whole(value.length + 1);
    if (index === value.length || dice.percent(30)) return largeList(value, dice, bytes);
    return value.with(index, enlarged(value[index] ?? null, dice, mostBytes));
  }
  if (isObject(value)) {
    const name = dice.any(Object.keys(value));
    if (name === undefined || dice.percent(20)) return { ...value, ...largeObject(dice, bytes) };
    return { ...value, [name]: enlarged(value[name] ?? null, dice, mostBytes) };
  }
  return dice.percent(60)
    ? longText(dice, bytes)
    : dice.percent(50)
      ? largeObject(dice, bytes)
      : largeList([value], dice, bytes);
}

/** A thousand items, from the list or new ones, each as large as the body allows. */
function largeList(list: readonly JsonValue[], dice: Dice, bytes: number): JsonValue {
  const item = dice.percent(70) ? (dice.any(list) ?? filling(dice)) : filling(dice);
  const each = JSON.stringify(item);
  const count = Math.min(maxListItems, Math.floor(values / (countOf(each) + 1)), Math.floor(bytes / (each.length + 1)));
  // As many different ones as possible, because a search for duplicates compares them.
  return Array.from({ length: Math.max(1, count) }, (_, at) => distinct(item, at));
}

function distinct(item: JsonValue, at: number): JsonValue {
  if (typeof item === 'string') return `${item}${at}`;
  return isObject(item) && typeof item['name'] === 'string' ? { ...item, name: `${item['name']}-${at}` } : item;
}

function countOf(text: string): number {
  return text.split(/[,[{]/).length;
}

/** Unknown members, in as many objects as the body allows. */
function largeObject(dice: Dice, bytes: number): JsonObject {
  const width = dice.one([10, 100, maxObjectMembers - 10]);
  const objects = dice.one([1, Math.floor(values / width)]);
  const inner = (): JsonObject => Object.fromEntries(Array.from({ length: width }, (_, at) => [`k${at}`, at]));
  if (objects === 1 && dice.percent(50)) return { ...inner(), [longText(dice, bytes / 2)]: 1 };
  if (objects >= maxObjectMembers) return { unknown: Array.from({ length: maxListItems - 1 }, inner) };
  return Object.fromEntries(Array.from({ length: objects }, (_, at) => [`o${at}`, inner()]));
}

function filling(dice: Dice): JsonValue {
  return dice.one<JsonValue>([
    {},
    null,
    1,
    '',
    [[]],
    'x'.repeat(500),
    { name: 'n', value: 'v'.repeat(700) },
    { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8 },
    nested(dice.whole(maxBodyDepth - 10)),
  ]);
}

function nested(depth: number): JsonValue {
  return depth <= 0 ? 1 : depth % 2 === 0 ? { spec: nested(depth - 1) } : [nested(depth - 1)];
}

/** Patches with large directives. */
export function largePatch(dice: Dice): JsonObject {
  const item = { name: 'n', value: 'v' };
  const items = Array.from({ length: maxListItems - 10 }, (_, at) => ({ ...item, name: `n-${at}` }));
  const names = items.map(({ name }) => name);
  return dice.one<JsonObject>([
    { tags: { $drop: names } },
    { tags: Object.fromEntries(names.map((name) => [name, 'v'.repeat(200)])) },
    { spec: { '$patch/containers': [{ name: 'main', '$append/env': items }] } },
    { spec: { '$patch/containers': [{ name: 'main', '$patch/env': items }] } },
    { spec: { '$patch/containers': items.map(({ name }) => ({ name, '$patch/env': [item] })) } },
    { spec: { '$replace/containers': [{ name: 'main', image: 'x', env: items }] } },
    { '$append/memberLinks': names.map((name) => `//user/${name}@example.com`) },
    { $drop: names },
    Object.fromEntries(names.map((name) => [`$append/${name}`, [1]])),
    Object.fromEntries(names.map((name) => [`$patch/${name}`, items.slice(0, 15)])),
  ]);
}
