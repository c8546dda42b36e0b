import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../src/base/json/json.ts';
import {
  byMarks,
  bySchema,
  markedTexts,
  mayMask,
  repeatsMarked,
  sensitivityOfItem,
  sensitivityOfMember,
  shouldMask,
} from '../../src/patch/shouldMask.ts';
import { keyed, list, map, object, scalar, withFacts } from './toyShape.ts';

const secret = withFacts(scalar, { sensitive: true });
const item = object({ n: scalar, v: scalar });
const shape = object({
  open: scalar,
  key: secret,
  deep: object({ key: secret, open: scalar }),
  tags: map(scalar),
  items: keyed(item, 'stated'),
  plain: list('sequence', item),
});
// biome-ignore format: a row is a case
const declared = {
  open: 'eight888',
  tags: { a: 'seven77', b: 'eight888', c: 'eight888' },
  items: [{ n: 'x', v: 'of the item x' }, { n: 'y', v: 'of the item y' }],
};

describe('a hidden value', () => {
  test('by the schema: the field itself', () => {
    const of = bySchema(shape);
    expect(shouldMask(sensitivityOfMember(of, 'key'))).toBe(true);
    expect(shouldMask(sensitivityOfMember(sensitivityOfMember(of, 'deep'), 'key'))).toBe(true);
    expect(shouldMask(sensitivityOfMember(of, 'open'))).toBe(false);
    expect(shouldMask(of)).toBe(false);
  });

  test('may be near a sensitive field or a mark, or in a text that may repeat one', () => {
    expect(mayMask(bySchema(shape))).toBe(true);
    expect(mayMask(bySchema(object({ open: scalar })))).toBe(false);
    const plain = object({ open: scalar, tags: map(scalar) });
    const of = byMarks(plain, ['tags.a'], { tags: { a: 'short' } });
    expect(mayMask(of)).toBe(true);
    expect(mayMask(sensitivityOfMember(of, 'tags'))).toBe(true);
    expect(mayMask(sensitivityOfMember(of, 'open'))).toBe(false);
    expect(mayMask(sensitivityOfMember(byMarks(plain, ['tags.a'], { tags: { a: 'long enough' } }), 'open'))).toBe(true);
    expect(mayMask(byMarks(plain, [], { open: 'long enough' }))).toBe(false);
  });

  test('a malformed mark marks nothing', () => {
    expect(byMarks(shape, ['tags..a', 'tags.b'], declared).marks).toHaveLength(1);
  });

  test.each<[string, JsonValue, boolean]>([
    ['the text itself', 'eight888', true],
    ['a text that contains it', '(eight888)', true],
    ['a part of it', 'eight88', false],
    ['another marked text, which is too short to be significant', 'seven77', false],
    ['a value that is not a string', ['eight888'], false],
  ])('a repeated text is hidden: %s', (_, value, hidden) => {
    expect(repeatsMarked(byMarks(shape, ['tags.a', 'tags.b'], declared), value)).toBe(hidden);
  });

  test('without marks no text is hidden', () => {
    expect(repeatsMarked(bySchema(shape), 'eight888')).toBe(false);
  });

  test('texts of marked fields, each once', () => {
    expect(markedTexts(shape, ['tags.*', 'items.y.v'], declared)).toEqual(['seven77', 'eight888', 'of the item y']);
    expect(markedTexts(shape, ['tags.none'], declared)).toEqual([]);
  });
});

describe('a mark on an item', () => {
  const below = (field: string, mark: string, of: JsonValue): boolean => {
    const inList = sensitivityOfMember(byMarks(shape, [mark], declared), field);
    return shouldMask(sensitivityOfMember(sensitivityOfItem(inList, of), 'v'));
  };
  test.each<[string, string, string, JsonValue, boolean]>([
    ['applies by its key', 'items', 'items.x.v', { n: 'x' }, true],
    ['does not apply to another item', 'items', 'items.x.v', { n: 'y' }, false],
    ['may apply to any item', 'items', 'items.*.v', { n: 'y' }, true],
    ['applies to an item without its key', 'items', 'items.x.v', { v: 1 }, true],
    ['applies to all items without keys', 'plain', 'plain.0.v', { n: 'y' }, true],
    ['applies to no other field of the item', 'plain', 'plain.0.n', { n: 'y' }, false],
    ['applies to everything in an item', 'items', 'items.x', { n: 'x' }, true],
    ['applies to everything in a list', 'items', 'items', { n: 'y' }, true],
    ['may apply to a list of any type', 'tags', 'tags.0.v', { n: 'y' }, true],
  ])('%s', (_, field, mark, of, hidden) => {
    expect(below(field, mark, of)).toBe(hidden);
  });
});
