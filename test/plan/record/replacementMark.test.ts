import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import {
  isBeingReplaced,
  isMarkedToReplace,
  replacementMark,
  replacingTag,
  withoutReplacementMark,
} from '../../../src/plan/record/replacementMark.ts';
import { foreign, live, owner } from '../world.ts';

describe('the mark of a started replacement', () => {
  const { record } = live('group/a', {}, { version: 9, applied: { version: 9 } });
  const applied = (version: number) => expect.stringContaining(`;v${version};`);

  test.each<{ it: string; tags: JsonObject; expected: JsonObject }>(
    // biome-ignore format: a row is a case
    [
      { it: 'names the owner, and counts the write that sets it', tags: replacementMark(record, 9, owner),
        expected: { [replacingTag]: owner, 'gantry/applied': applied(10) } },
      { it: 'keeps the record of the last write if others wrote since',
        tags: replacementMark(record, 12, owner), expected: { [replacingTag]: owner } },
      { it: 'adds no record if there is none', tags: replacementMark(foreign('group/a').record, 1, owner),
        expected: { [replacingTag]: owner } },
      { it: 'adds no record if another version of Gantry wrote it',
        tags: replacementMark({ tags: { 'gantry/applied': '2;v9;' } }, 9, owner), expected: { [replacingTag]: owner } },
      { it: 'is removed in the same way', tags: withoutReplacementMark(record, 9),
        expected: { $drop: [replacingTag], 'gantry/applied': applied(10) } },
    ],
  )('$it', ({ tags, expected }) => expect(tags).toEqual(expected));

  test('belongs to one stack', () => {
    const of = (stack: string) => ({ tags: { [replacingTag]: stack } });
    expect([of(owner), of('bank'), { tags: {} }, {}].map((each) => isBeingReplaced(each, owner))).toEqual([
      ...[true, false],
      ...[false, false],
    ]);
    expect([of(owner), of('bank'), { tags: {} }, {}].map(isMarkedToReplace)).toEqual([true, true, false, false]);
  });
});
