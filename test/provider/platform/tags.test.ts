import { describe, expect, test } from 'vitest';
import { type ObjectValue, unknown, type Value } from '../../../src/hcl/value.ts';
import {
  configWithAll,
  ignoredAndSet,
  importedApart,
  plannedApart,
  plannedWithAll,
  shownApart,
  withoutIgnoredTags,
  wrongDefaults,
  wrongPatterns,
} from '../../../src/provider/platform/defaultTags.ts';

/** Terraform's rule for `tags` and `tags_all`: a tag of the resource wins over a default, and null removes one. */
describe('default tags', () => {
  const defaults = { team: 'a', tier: 'web' };

  test.each<readonly [string, Value, Value]>([
    ['no tags', null, defaults],
    ['its own tag', { own: 'x' }, { ...defaults, own: 'x' }],
    ['another value for a default', { team: 'b' }, { team: 'b', tier: 'web' }],
    ['null for a default', { team: null }, { tier: 'web' }],
    ['unknown tags', unknown, unknown],
  ])('of a resource with %s', (_, tags, all) => {
    expect(configWithAll({ name: 'x', tags }, defaults)).toEqual({ name: 'x', tags: all });
  });

  test('change nothing if there are none', () => {
    expect(configWithAll({ tags: null }, {})).toEqual({ tags: null });
    expect(configWithAll({ tags: {} }, {})).toEqual({ tags: {} });
  });

  test.each<readonly [string, Value, Value]>([
    ['all were known', { team: 'a', own: 'x' }, { team: 'a', own: 'x' }],
    ['one was unknown', { team: 'a', own: unknown }, { team: 'a', own: 'now' }],
    ['none was known', unknown, { ...defaults, own: 'now' }],
  ])('are added in an apply if %s in the plan', (_, all, expected) => {
    const planned: ObjectValue = { name: 'x', tags: null, tags_all: all };
    expect(plannedWithAll(planned, { tags: { own: 'now' } }, defaults)).toEqual({ name: 'x', tags: expected });
  });

  test('are separated from the tags of the resource in plans and states', () => {
    const all = { team: 'a', own: 'x' };
    expect(plannedApart({ tags: all }, { tags: { own: 'x' } })).toEqual({ tags: { own: 'x' }, tags_all: all });
    expect(plannedApart({ tags: null }, {})).toEqual({ tags: null, tags_all: {} });
    expect(shownApart({ tags: all }, { own: 'x', gone: 'y', taken: null })).toEqual({
      tags: { own: 'x', taken: null },
      tags_all: all,
    });
    expect(shownApart({ tags: all }, null)).toEqual({ tags: null, tags_all: all });
  });

  test('are recognized in an import by their values', () => {
    const tagsOf = (tags: ObjectValue) => importedApart({ tags }, defaults)['tags'];
    expect(tagsOf({ team: 'a', own: 'x' })).toEqual({ own: 'x' });
    expect(tagsOf({ team: 'b', tier: 'web' })).toEqual({ team: 'b' });
    expect(tagsOf({ team: 'a' })).toBeNull();
  });

  test('are refused for tags of Gantry and for ignored tags', () => {
    const told = wrongDefaults({ 'gantry/stack': 'x', 'ci/run': '1', team: 'a', none: null }, ['ci/*']);
    expect(told.map(({ summary, path }) => [path?.[1], summary])).toEqual([
      ['gantry/stack', 'the tag "gantry/stack" belongs to Gantry'],
      ['ci/run', 'the tag "ci/run" is a default and ignored at once'],
    ]);
    expect(wrongDefaults(undefined, [])).toEqual([]);
  });
});

describe('ignored tags', () => {
  test('match a key or a prefix, but never a tag of Gantry', () => {
    const tags = { ci: '1', 'ci/run': '2', other: '3', 'gantry/stack': 's' };
    expect(withoutIgnoredTags({ tags }, ['ci'])).toEqual({ tags: { 'ci/run': '2', other: '3', 'gantry/stack': 's' } });
    expect(withoutIgnoredTags({ tags }, ['ci*', 'g*'])).toEqual({ tags: { other: '3', 'gantry/stack': 's' } });
    const record = { tags };
    expect(withoutIgnoredTags(record, ['x'])).toBe(record);
  });

  test('cannot be set by a resource', () => {
    expect(ignoredAndSet({ tags: { 'ci/run': '1', own: 'x' } }, ['ci/*']).map(({ path }) => path)).toEqual([
      ['tags', 'ci/run'],
    ]);
    expect(ignoredAndSet({ tags: null }, ['*'])).toEqual([]);
    expect(ignoredAndSet(null, ['ci/*'])).toEqual([]);
  });

  test('are keys, or prefixes with * at the end', () => {
    const wrong = ['', '*', 'a*b', 'ab**', '*a', 'gantry/', 'gantry/stack'];
    expect(wrongPatterns([...wrong, 'a', 'ab*'])).toEqual(wrong);
  });
});
