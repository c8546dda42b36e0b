import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../src/base/json/json.ts';
import {
  byMarks,
  bySchema,
  isSensitive,
  markedTexts,
  mayHide,
  repeatsMarked,
  sensitivityOfItem,
  sensitivityOfMember,
} from '../../src/patch/sensitivity.ts';
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

describe('what may not be seen', () => {
  test('by the schema: the field itself', () => {
    const of = bySchema(shape);
    expect(isSensitive(sensitivityOfMember(of, 'key'))).toBe(true);
    expect(isSensitive(sensitivityOfMember(sensitivityOfMember(of, 'deep'), 'key'))).toBe(true);
    expect(isSensitive(sensitivityOfMember(of, 'open'))).toBe(false);
    expect(isSensitive(of)).toBe(false);
  });

  test('something may be hidden around a sensitive field, around a mark, and where a text may be repeated', () => {
    expect(mayHide(bySchema(shape))).toBe(true);
    expect(mayHide(bySchema(object({ open: scalar })))).toBe(false);
    const plain = object({ open: scalar, tags: map(scalar) });
    const of = byMarks(plain, ['tags.a'], { tags: { a: 'short' } });
    expect(mayHide(of)).toBe(true);
    expect(mayHide(sensitivityOfMember(of, 'tags'))).toBe(true);
    expect(mayHide(sensitivityOfMember(of, 'open'))).toBe(false);
    expect(mayHide(sensitivityOfMember(byMarks(plain, ['tags.a'], { tags: { a: 'long enough' } }), 'open'))).toBe(true);
    expect(mayHide(byMarks(plain, [], { open: 'long enough' }))).toBe(false);
  });

  test('a malformed mark marks nothing', () => {
    expect(byMarks(shape, ['tags..a', 'tags.b'], declared).marks).toHaveLength(1);
  });

  test.each<[string, JsonValue, boolean]>([
    ['the text itself', 'eight888', true],
    ['a text with it inside', '(eight888)', true],
    ['a part of it', 'eight88', false],
    ['another marked text, which is too short to be no accident', 'seven77', false],
    ['what is no text', ['eight888'], false],
  ])('a repeated text is hidden: %s', (_, value, hidden) => {
    expect(repeatsMarked(byMarks(shape, ['tags.a', 'tags.b'], declared), value)).toBe(hidden);
  });

  test('where nothing is marked no text is repeated', () => {
    expect(repeatsMarked(bySchema(shape), 'eight888')).toBe(false);
  });

  test('texts at marked places, each once', () => {
    expect(markedTexts(shape, ['tags.*', 'items.y.v'], declared)).toEqual(['seven77', 'eight888', 'of the item y']);
    expect(markedTexts(shape, ['tags.none'], declared)).toEqual([]);
  });
});

describe('a mark on an item', () => {
  const below = (field: string, mark: string, of: JsonValue): boolean => {
    const inList = sensitivityOfMember(byMarks(shape, [mark], declared), field);
    return isSensitive(sensitivityOfMember(sensitivityOfItem(inList, of), 'v'));
  };
  test.each<[string, string, string, JsonValue, boolean]>([
    ['goes by its key', 'items', 'items.x.v', { n: 'x' }, true],
    ['is none on another', 'items', 'items.x.v', { n: 'y' }, false],
    ['may be on any', 'items', 'items.*.v', { n: 'y' }, true],
    ['is on what does not say which one it is', 'items', 'items.x.v', { v: 1 }, true],
    ['is on all where items have no key', 'plain', 'plain.0.v', { n: 'y' }, true],
    ['is on nothing else in it', 'plain', 'plain.0.n', { n: 'y' }, false],
    ['may be on a list of anything', 'tags', 'tags.0.v', { n: 'y' }, true],
  ])('%s', (_, field, mark, of, hidden) => {
    expect(below(field, mark, of)).toBe(hidden);
  });
});
