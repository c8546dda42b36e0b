import { isArray, isObject, type JsonObject, type JsonValue, put } from '../../src/base/json/json.ts';
import type { Shape } from '../../src/schema/shape/shape.ts';

/**
 * A second reading of platform/patch.directives, written from the documents in another way than `src/patch`: a patch
 * becomes a list of instructions, sorted by rank, each of which edits a copy in place. It supports only the toy shapes:
 * keyed lists have the key `n`, and there are no links.
 */
export class Refused extends Error {}

type Instruction = { readonly rank: number; readonly run: (box: Map<string, JsonValue>) => void };

const ranks = ['$drop', '$replace/', 'plain', '$retain/', '$drop/', '$patch/', '$append/'];

export function naiveApply(shape: Shape, live: JsonObject, patch: JsonObject): JsonObject {
  const box = new Map(Object.entries(live));
  const instructions = Object.entries(patch).map(([key, value]) => instructionFor(shape, key, value));
  for (const { run } of instructions.sort((a, b) => a.rank - b.rank)) run(box);
  const result: Record<string, JsonValue> = {};
  for (const [key, value] of box) put(result, key, value);
  return result;
}

function shapeUnder(shape: Shape, name: string): Shape {
  const nothingKnown: Shape = { type: 'free', facts: {} };
  if (shape.type === 'map') return shape.value;
  return (shape.type === 'object' ? shape.fields.get(name) : undefined) ?? nothingKnown;
}

function instructionFor(shape: Shape, key: string, value: JsonValue): Instruction {
  const rank = (word: string): number => ranks.indexOf(word);
  if (!key.startsWith('$')) {
    return { rank: rank('plain'), run: (box) => setPlain(box, key, value, shapeUnder(shape, key)) };
  }
  if (key === '$drop') {
    const names = textsOrRefuse(value);
    return { rank: rank('$drop'), run: (box) => deleteAll(box, names) };
  }
  const [, word = '', field = ''] = /^(\$[a-z]+\/)(.*)$/s.exec(key) ?? [];
  if (!ranks.includes(word) || field.startsWith('$')) throw new Refused(`unknown ${key}`);
  const below = shapeUnder(shape, field);
  if (word === '$replace/') {
    return {
      rank: rank(word),
      run: (box) => {
        if (value === null) box.delete(field);
        else box.set(field, fresh(below, value));
      },
    };
  }
  return {
    rank: rank(word),
    run: (box) => {
      const had = box.get(field);
      if ((had !== undefined && !isArray(had)) || !['list', 'free'].includes(below.type))
        throw new Refused('not a list');
      const items = isArray(had) ? [...had] : [];
      editList(below, items, word, value);
      if (had !== undefined || items.length > 0) box.set(field, items);
    },
  };
}

function deleteAll(box: Map<string, JsonValue>, names: readonly string[]): void {
  for (const name of names) box.delete(name);
}

function setPlain(box: Map<string, JsonValue>, key: string, value: JsonValue, below: Shape): void {
  if (value === null) {
    box.delete(key);
  } else if (isObject(value)) {
    const before = box.get(key);
    box.set(key, naiveApply(below, isObject(before) ? before : {}, value));
  } else {
    box.set(key, fresh(below, value));
  }
}

/** Merges objects into an empty one; free-form JSON is copied. */
function fresh(shape: Shape, value: JsonValue): JsonValue {
  if (shape.type === 'free') return value;
  if (isObject(value)) return naiveApply(shape, {}, value);
  return isArray(value) && shape.type === 'list' ? value.map((item) => fresh(shape.item, item)) : value;
}

function editList(shape: Shape, items: JsonValue[], word: string, value: JsonValue): void {
  const kind = shape.type === 'list' ? shape.facts.list?.class : undefined;
  const item: Shape = shape.type === 'list' ? shape.item : { type: 'free', facts: {} };
  const holdsPlain =
    shape.type === 'list' ? item.type === 'scalar' : items.every((each) => each === null || typeof each !== 'object');
  const nameOf = (each: JsonValue): string | undefined => {
    if (kind !== 'keyed') return each === null || typeof each !== 'object' ? String(each) : undefined;
    const name = isObject(each) ? new Map(Object.entries(each)).get('n') : undefined;
    return typeof name === 'string' || typeof name === 'number' ? String(name) : undefined;
  };

  if (word === '$append/') {
    if (!isArray(value)) throw new Refused('malformed');
    for (const each of value) {
      const exists = items.some((other) => nameOf(other) !== undefined && nameOf(other) === nameOf(each));
      if (exists && kind === 'keyed') throw new Refused('exists');
      if (exists && kind === 'set') continue;
      items.push(fresh(item, each));
    }
    return;
  }
  if (word === '$patch/') {
    if (!isArray(value) || !value.every(isObject)) throw new Refused('malformed');
    if (kind !== 'keyed') throw new Refused('unkeyed');
    for (const each of value) {
      const name = nameOf(each);
      if (name === undefined) throw new Refused('no key');
      const places = [...items.keys()].filter((index) => nameOf(items[index] ?? null) === name);
      if (places.length > 1) throw new Refused('ambiguous');
      const before = items[places[0] ?? -1];
      items.splice(places[0] ?? items.length, 1, naiveApply(item, isObject(before) ? before : {}, each));
    }
    return;
  }
  const names = textsOrRefuse(value);
  if (kind !== 'keyed' && !holdsPlain) throw new Refused('unkeyed');
  const stays = items.filter((each) => {
    const named = names.some((name) => name === nameOf(each));
    return word === '$retain/' ? named : !named;
  });
  items.splice(0, items.length, ...stays);
}

function textsOrRefuse(value: JsonValue): readonly string[] {
  if (!isArray(value)) throw new Refused('malformed');
  return value.map((each) => {
    if (typeof each !== 'string') throw new Refused('malformed');
    return each;
  });
}
