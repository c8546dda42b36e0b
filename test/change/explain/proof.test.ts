import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { prove, withTagsOf } from '../../../src/change/explainChange.ts';
import type { Reason } from '../../../src/change/explanation.ts';
import type { Verdict } from '../../../src/change/verdicts.ts';

const verdict = (path: string, why: Reason, held = true): Verdict => ({
  path,
  why,
  ...(held ? { heldAt: [path] } : {}),
});

interface Case {
  readonly it: string;
  readonly live?: JsonObject;
  readonly target?: JsonObject;
  readonly before?: readonly Verdict[];
  readonly after?: readonly Verdict[];
  readonly changed?: readonly string[];
  readonly says: readonly [managed: number, untouched: number, against: readonly string[]];
}

const platform = [verdict('a', 'platform')];

// biome-ignore format: one case a line
const cases: readonly Case[] = [
  { it: 'all managed fields are as declared',
    after: [verdict('a', 'same'), verdict('b', 'default')], says: [2, 0, []] },
  { it: 'one still differs', after: [verdict('a', 'same'), verdict('b', 'differs')], says: [1, 0, ['b']] },
  { it: 'an unmanaged field is kept', live: { a: 1 }, target: { a: 1 }, before: platform, after: platform,
    says: [0, 1, []] },
  { it: 'an unmanaged field changes',
    live: { a: 1 }, target: { a: 2 }, before: platform, after: platform, says: [0, 0, ['a']] },
  { it: 'an unmanaged field is removed', live: { a: 1 }, target: {}, before: platform, says: [0, 0, ['a']] },
  { it: 'an unmanaged field becomes declared', live: { a: 1 }, target: { a: 1 }, before: platform,
    after: [verdict('a', 'platform', false)], says: [0, 0, ['a']] },
  { it: 'the plan contains the change', live: { a: 1 }, target: { a: 2 }, before: platform, after: platform,
    changed: ['a'], says: [0, 0, []] },
  { it: 'an ignored field is not live', before: [verdict('a', 'ignored', false)], says: [0, 0, []] },
  { it: "a tag of Gantry changes", live: { a: 1 }, target: { a: 2 }, before: [verdict('a', 'own-tag')],
    says: [0, 0, []] },
  { it: 'several fields contradict it: each once, in order', live: { a: 1, c: 1 },
    before: [verdict('c', 'service'), ...platform], after: [verdict('b', 'differs'), verdict('a', 'differs')],
    says: [0, 0, ['a', 'b', 'c']] },
];

test.each(cases)('a proof, if $it', ({ live = {}, target = {}, before = [], after = [], changed = [], says }) => {
  const [managed, untouched, against] = says;
  const holds = against.length === 0;
  expect(prove({ live, target }, { before, after }, changed)).toEqual({ holds, managed, untouched, against });
});

test('a record with the tags of others, or without tags', () => {
  expect(withTagsOf({ a: 1, tags: { b: '1' } }, { tags: { c: '2' } })).toEqual({ a: 1, tags: { c: '2' } });
  expect(withTagsOf({ a: 1, tags: { b: '1' } }, {})).toEqual({ a: 1 });
});
