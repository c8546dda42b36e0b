import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { liveReferences } from '../../../src/manifest/live/liveReference.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import { planWithReads } from '../../../src/plan/planWithReads.ts';
import { beforeKeys, keysAmong } from '../../../src/plan/record/keysMade.ts';
import { withSaves } from '../../../src/plan/saves.ts';
import { actions, changeOf, declare, foreign, live, options, plan, snapshot } from '../world.ts';

const id = 'serviceaccount/bot';
const value = '${' + 'live.serviceaccount/bot:keys.ci.key}';
const withKeys = (...names: readonly string[]): JsonObject => ({
  keys: names.map((description) => ({ name: `bot-${description}`, description })),
});

describe('an output that is saved to a file', () => {
  const saves = (declares: boolean, there: readonly LiveResource[], saveTo?: { readonly file: string }) => {
    const desired = declares ? [declare(id)] : [];
    const state = snapshot(there);
    const made = plan(desired, state, { allowEmpty: true });
    const { locate } = declare(id);
    const output = { name: 'token', value, sensitive: true, locate, ...(saveTo && { saveTo }) };
    const { saves: found, notes, changes } = withSaves(made, [output], state);
    expect(changes).toBe(made.changes);
    return [...(found ?? []).map(({ output: name, file, of }) => `${name} ${file} ${of.join(' ')}`), ...notes];
  };
  const file = { file: 'ci.key' };
  const saved = [
    `token ci.key ${id}`,
    `a new key of ${id} for ci: shown once, and saved to the file ci.key (output token)`,
  ];

  // biome-ignore format: a row is a case
  test.each<[string, boolean, readonly LiveResource[], typeof file | undefined, readonly string[]]>([
    ['gets a key of an account that is created', true, [], file, saved],
    ['gets a new key of an account that exists', true, [live(id, withKeys('other'))], file, saved],
    ['gets no key that was made before', true, [live(id, withKeys('ci'))], file, []],
    ['gets no key of an account that is deleted', false, [live(id)], file, []],
    ['gets no key of an account that is not in the plan', false, [foreign(id)], file, []],
    ['is not saved without saveTo', true, [], undefined, []],
  ])('%s', (_, declares, there, saveTo, expected) => expect(saves(declares, there, saveTo)).toEqual(expected));
});

describe('a secret that takes a new key', () => {
  const secret = 'secret/s';
  const taking = {
    ...declare(secret, { type: 'opaque', data: { payload: value, encoding: 'plain' } }),
    reads: liveReferences(value),
  };
  const made = (...there: readonly LiveResource[]) =>
    planWithReads([declare(id), taking], snapshot(there), options).plan;

  test('waits for the key that the apply makes', () => {
    const created = made(live(id));
    expect(actions(created)).toEqual([`create ${secret}`]);
    expect(changeOf(created, secret).awaits).toEqual([value]);
  });

  test('keeps the key that it has, which nothing shows again', () => {
    const held = live(secret, { type: 'opaque', data: { payload: 'k1', encoding: 'plain' } });
    expect(actions(made(live(id, withKeys('ci')), held))).toEqual([]);
  });
});

describe('the version of an account before its keys were made', () => {
  const account = (marked: number) => live(id, withKeys('ci', 'cd'), { version: 4, applied: { version: marked } });

  test.each([
    ['is one less for each key that it has', 2, ['ci', 'cd'], 2],
    ['does not count keys that it lacks', 3, ['ci', 'gone'], 3],
    ['is not known if another client wrote it too', 2, ['ci'], 4],
  ])('%s', (_, marked, keys, expected) => {
    expect(beforeKeys(account(marked), new Set(keys)).version).toBe(expected);
  });
});

test('the keys among references are those of accounts, without other live values', () => {
  const others = liveReferences(`\${live.${id}:status.url} \${live.gvc/g:alias}`);
  expect(keysAmong([...others, ...liveReferences(value)])).toEqual(new Map([[id, new Set(['ci'])]]));
});
