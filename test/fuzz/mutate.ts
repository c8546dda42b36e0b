import { isArray, isObject, type JsonValue } from '../../src/base/json/json.ts';
import type { Dice } from './dice.ts';

// biome-ignore format: a row is a case
const junk: readonly [JsonValue, ...JsonValue[]] = [
  null,
  true,
  false,
  0,
  -1,
  1e308, 0.1, '', ' ',
  'x'.repeat(5000),
  '\u0000', '\ud800', '💥', '__proto__', '//', '//gvc/../..', '/org/other/gvc/x', 'scheme://secret/', '$&{}',
  [],
  {},
  [[[[]]]],
  { $drop: ['name'] },
  { '$replace/tags': null },
  { '$append/x': [1] },
  { constructor: { prototype: { polluted: true } } },
];

// biome-ignore format: a row is a case
const keys = [
  '__proto__', 'constructor', '$drop', '$patch/containers', '$append/', 'spec', 'tags', 'unknown', 'a.b', '',
];

/** A document with changes at one to four places. */
export function mutated(value: JsonValue, dice: Dice): JsonValue {
  let result = value;
  for (let count = dice.whole(4) + 1; count > 0; count -= 1) result = changedOnce(result, dice);
  return result;
}

function changedOnce(value: JsonValue, dice: Dice): JsonValue {
  if (isObject(value) && dice.percent(85)) {
    const names = Object.keys(value);
    const name = dice.any(names);
    if (name === undefined || dice.percent(15)) return { ...value, [dice.any(keys) ?? '']: dice.one(junk) };
    if (dice.percent(20)) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
    return { ...value, [name]: changedOnce(value[name] ?? null, dice) };
  }
  if (isArray(value) && dice.percent(85)) {
    const index = dice.whole(value.length + 1);
    if (index === value.length) return [...value, value.at(-1) ?? dice.one(junk)];
    return dice.percent(25) ? value.toSpliced(index, 1) : value.with(index, changedOnce(value[index] ?? null, dice));
  }
  return dice.one(junk);
}

// biome-ignore format: a row is a case
const broken = [
  '', '{', '[]', 'null', '"text"', '{"a":}', '\u0000', '[1,2', '{"name":"a","name":"b"}', '1e999', 'true',
];

/** A body unrelated to the request. */
export function randomBody(dice: Dice): string {
  if (dice.percent(40)) return dice.any(broken) ?? '';
  let value: JsonValue = dice.one(junk);
  for (let depth = dice.whole(6); depth > 0; depth -= 1) {
    value = dice.percent(50) ? { [dice.any(keys) ?? '']: value } : [value, dice.one(junk)];
  }
  return JSON.stringify(value);
}
