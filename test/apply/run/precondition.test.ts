import { describe, expect, test } from 'vitest';
import type { Written } from '../../../src/apply/port.ts';
import { Precondition } from '../../../src/apply/precondition.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { ToolError } from '../../../src/base/toolError.ts';
import { Capabilities } from '../../../src/capabilities/capabilities.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import type { Change, UncheckedChange } from '../../../src/plan/model/change.ts';
import { formatRef, type ResourceId } from '../../../src/schema/record/ref.ts';
import { body, change, plan, ref } from '../harness/plans.ts';

type Answer = 'taken' | 'api.conflict' | 'api.reply-lost' | 'api.invalid' | 'api.quota';

function live(id: string, version = 5): LiveResource {
  return { ref: ref(id), id, uid: `uid of ${id}`, version, record: {} };
}

const sized: ReadonlySet<Change['action']> = new Set(['patch', 'adopt', 'forget']);

/** A change of a live record with a size. */
function planned(id: string, action: Change['action'], size = 0, version = 5, fields: Partial<UncheckedChange> = {}) {
  const pin = { liveUid: `uid of ${id}`, liveVersion: version };
  return change(id, {
    action,
    ...pin,
    ...(sized.has(action) ? { expected: body({ text: 'x'.repeat(size) }) } : {}),
    ...fields,
  });
}

/** The test request with these responses; the last one is repeated. */
function asking(changes: readonly Change[], answers: readonly Answer[], written: readonly [string, Written][] = []) {
  const asked: (readonly [ResourceId, JsonObject])[] = [];
  const port = {
    async patch(to: LiveResource['ref'], question: JsonObject) {
      asked.push([formatRef(to), question]);
      const answer = answers[Math.min(asked.length, answers.length) - 1] ?? 'taken';
      if (answer !== 'taken') throw new ToolError({ code: answer, message: answer });
      return live(formatRef(to));
    },
  };
  const unsaid = { ...plan(...changes), preconditions: 'unsaid' as const };
  return {
    asked,
    precondition: new Precondition({
      plan: unsaid,
      port,
      written: new Map(written),
      capabilities: new Capabilities(),
      planned: () => undefined,
    }),
  };
}

const gvc = 'gvc/shop';

describe('the test whether versions are checked', () => {
  interface Sent {
    readonly it: string;
    readonly changes: readonly Change[];
    readonly question: readonly [ResourceId, JsonObject] | undefined;
  }
  const of = (id: string, version: number) => [id, { id: `uid of ${id}`, version }] as const;
  test.each<Sent>(
    // biome-ignore format: a row is a case
    [
      { it: 'uses the version before', changes: [planned(gvc, 'patch')], question: of(gvc, 4) },
      { it: 'uses the next version for a first one', changes: [planned(gvc, 'patch', 0, 1)], question: of(gvc, 2) },
      { it: 'is sent to the smallest patched record',
        changes: [planned(gvc, 'patch', 9), planned('group/a', 'patch', 3), planned('group/b', 'patch', 5)],
        question: of('group/a', 4) },
      { it: 'prefers a patched record to a released one, and that to a kept one',
        changes: [planned('group/a', 'keep'), planned('group/b', 'forget'), planned(gvc, 'patch', 99)],
        question: of(gvc, 4) },
      { it: 'prefers a released record to a kept one',
        changes: [planned('group/a', 'keep'), planned('group/b', 'forget', 99)], question: of('group/b', 4) },
      { it: 'is not sent to a part of a record of others',
        changes: [planned(gvc, 'keep', 0, 5, { part: true }), planned('group/b', 'keep')], question: of('group/b', 4) },
      { it: 'is not sent to a kept record that could not be read',
        changes: [change(gvc, { action: 'keep' }), planned('group/b', 'keep')], question: of('group/b', 4) },
      { it: 'is not sent to an adopted record', changes: [planned(gvc, 'adopt')], question: undefined },
      { it: 'is not sent to a deleted record', changes: [planned(gvc, 'delete')], question: undefined },
    ],
  )('$it', async ({ changes, question }) => {
    const { asked, precondition } = asking(changes, ['api.conflict']);
    expect(await precondition.isHonoured()).toBe(question !== undefined);
    expect(asked).toEqual(question === undefined ? [] : [question]);
  });

  test('is sent to a record that the run created, without another one', async () => {
    const written: readonly [string, Written][] = [
      ['group/a', { as: 'deleted', uid: 'x' }],
      [gvc, { as: 'stored', live: live(gvc, 1) }],
    ];
    const { asked, precondition } = asking([change(gvc, { action: 'create' })], ['api.conflict'], written);
    expect(await precondition.isHonoured()).toBe(true);
    expect(asked).toEqual([of(gvc, 2)]);
  });

  interface Answered {
    readonly it: string;
    readonly answers: readonly Answer[];
    readonly asked: number;
    readonly honoured: boolean;
    readonly note?: string;
  }
  const reads = 'each record was read and compared directly before its write (1 read more)';
  // biome-ignore format: a row is a case
  test.each<Answered>([
    { it: '409 means yes', answers: ['api.conflict'], asked: 1, honoured: true },
    { it: 'a success means no', answers: ['taken'], asked: 1, honoured: false, note: 'this platform accepts a PATCH' },
    { it: 'another error is inconclusive', answers: ['api.quota'], asked: 1, honoured: false, note: 'it is not known' },
    { it: '400 means that the pins are refused', answers: ['api.invalid'], asked: 1, honoured: false,
      note: 'this platform refuses' },
    { it: 'a lost response is requested again', answers: ['api.reply-lost', 'api.conflict'], asked: 2, honoured: true },
    { it: 'three lost responses are inconclusive', answers: ['api.reply-lost'], asked: 3, honoured: false,
      note: 'it is not known' },
  ])('$it', async ({ answers, asked: times, honoured, note }) => {
    const { asked, precondition } = asking([planned(gvc, 'patch')], answers);
    expect(await precondition.isHonoured()).toBe(honoured);
    expect(asked).toHaveLength(times);
    expect(precondition.notes()).toEqual(
      note === undefined ? [] : [expect.stringMatching(new RegExp(`^${note}.*: ${reads.replace(/[()]/g, '\\$&')}; `))],
    );
  });

  test('is sent once for any number of concurrent changes', async () => {
    const { asked, precondition } = asking([planned(gvc, 'patch')], ['taken']);
    expect(await Promise.all([precondition.isHonoured(), precondition.isHonoured()])).toEqual([false, false]);
    expect(asked).toHaveLength(1);
    expect(precondition.notes()).toEqual([expect.stringContaining('(2 reads more)')]);
  });

  test('is repeated only if the record was busy, and then the new response counts', async () => {
    const { asked, precondition } = asking([planned(gvc, 'patch')], ['api.invalid', 'api.conflict']);
    expect(await precondition.isHonoured()).toBe(false);
    precondition.noteBusy('group/other');
    expect(await precondition.isHonoured()).toBe(false);
    expect(asked).toHaveLength(1);
    precondition.noteBusy(gvc);
    expect(await precondition.isHonoured()).toBe(true);
    expect(asked).toHaveLength(2);
    expect(precondition.notes()).toEqual([]);
  });

  test('does not hide an internal error', async () => {
    const port = { patch: () => Promise.reject(new TypeError('ours')) };
    const unsaid = { ...plan(planned(gvc, 'patch')), preconditions: 'unsaid' as const };
    await expect(
      new Precondition({
        plan: unsaid,
        port,
        written: new Map(),
        capabilities: new Capabilities(),
        planned: () => undefined,
      }).isHonoured(),
    ).rejects.toThrow('ours');
  });
});

test('a platform that reports it is not tested until a response disproves it, and nothing was read before that', async () => {
  const port = { patch: () => Promise.reject(new Error('nobody asks')) };
  const precondition = new Precondition({
    plan: plan(planned(gvc, 'patch')),
    port,
    written: new Map(),
    capabilities: new Capabilities(),
    planned: () => undefined,
  });
  expect(await precondition.isHonoured()).toBe(true);
  precondition.noteIgnored();
  expect(precondition.notes()).toEqual([]);
  expect(await precondition.isHonoured()).toBe(false);
  expect(precondition.notes()).toEqual([expect.stringContaining('this platform accepts a PATCH for any version')]);
});

describe('the proof that a platform refuses other versions', () => {
  const shown = live(gvc, 9);
  // biome-ignore format: a row is a case
  test.each<{ it: string; answers: readonly Answer[]; asks?: true; asked: number; is: boolean }>([
    { it: 'comes from a test with the record just written', answers: ['api.conflict'], asked: 1, is: true },
    { it: 'is missing if the platform accepts the test', answers: ['taken'], asked: 1, is: false },
    { it: 'comes from the test before the first write', answers: ['api.conflict'], asks: true, asked: 1, is: true },
    { it: 'is missing after a test that showed the contrary', answers: ['taken', 'api.conflict'], asks: true, asked: 1,
      is: false },
    { it: 'comes from another test if the first one was inconclusive', answers: ['api.quota', 'api.conflict'], asks: true,
      asked: 2, is: true },
  ])('$it', async ({ answers, asks, asked: times, is }) => {
    const { asked, precondition } = asking([planned(gvc, 'patch')], answers);
    if (asks === true) await precondition.isHonoured();
    expect(await precondition.isShown(shown)).toBe(is);
    expect(asked).toHaveLength(times);
  });

  test('is lost with an answer that shows the contrary, and nothing is asked again', async () => {
    const { asked, precondition } = asking([planned(gvc, 'patch')], ['api.conflict']);
    await precondition.isHonoured();
    precondition.noteIgnored();
    expect(await precondition.isShown(shown)).toBe(false);
    expect(asked).toHaveLength(1);
  });
});
