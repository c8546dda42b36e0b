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

/** A change of a record that is there; the record is as large as `size` says. */
function planned(id: string, action: Change['action'], size = 0, version = 5, fields: Partial<UncheckedChange> = {}) {
  const pin = { liveUid: `uid of ${id}`, liveVersion: version };
  return change(id, {
    action,
    ...pin,
    ...(sized.has(action) ? { expected: body({ text: 'x'.repeat(size) }) } : {}),
    ...fields,
  });
}

/** The question with its answers; the last one is given for ever. */
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

describe('the question whether a version is looked at', () => {
  interface Sent {
    readonly it: string;
    readonly changes: readonly Change[];
    readonly question: readonly [ResourceId, JsonObject] | undefined;
  }
  const of = (id: string, version: number) => [id, { id: `uid of ${id}`, version }] as const;
  test.each<Sent>(
    // biome-ignore format: a row is a case
    [
      { it: 'names the version before', changes: [planned(gvc, 'patch')], question: of(gvc, 4) },
      { it: 'names the next version, of a first one', changes: [planned(gvc, 'patch', 0, 1)], question: of(gvc, 2) },
      { it: 'is sent to the smallest record that is patched',
        changes: [planned(gvc, 'patch', 9), planned('group/a', 'patch', 3), planned('group/b', 'patch', 5)],
        question: of('group/a', 4) },
      { it: 'is sent to what is patched rather than to what is forgotten, and to that rather than to what is kept',
        changes: [planned('group/a', 'keep'), planned('group/b', 'forget'), planned(gvc, 'patch', 99)],
        question: of(gvc, 4) },
      { it: 'is sent to what is forgotten rather than to what is kept',
        changes: [planned('group/a', 'keep'), planned('group/b', 'forget', 99)], question: of('group/b', 4) },
      { it: 'is not sent to a part of what belongs to others',
        changes: [planned(gvc, 'keep', 0, 5, { part: true }), planned('group/b', 'keep')], question: of('group/b', 4) },
      { it: 'is not sent to what is kept and was not there to be read',
        changes: [change(gvc, { action: 'keep' }), planned('group/b', 'keep')], question: of('group/b', 4) },
      { it: 'is not sent to what is adopted', changes: [planned(gvc, 'adopt')], question: undefined },
      { it: 'is not sent to what is deleted', changes: [planned(gvc, 'delete')], question: undefined },
    ],
  )('$it', async ({ changes, question }) => {
    const { asked, precondition } = asking(changes, ['api.conflict']);
    expect(await precondition.isHonoured()).toBe(question !== undefined);
    expect(asked).toEqual(question === undefined ? [] : [question]);
  });

  test('is sent to what the run has created, where nothing else is there', async () => {
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
  test.each<Answered>([
    { it: '409 says yes', answers: ['api.conflict'], asked: 1, honoured: true },
    { it: 'a success says no', answers: ['taken'], asked: 1, honoured: false, note: 'this platform accepts a PATCH' },
    { it: 'another error says nothing', answers: ['api.quota'], asked: 1, honoured: false, note: 'it is not known' },
    { it: '400 refuses the names', answers: ['api.invalid'], asked: 1, honoured: false, note: 'this platform refuses' },
    { it: 'a lost answer is asked for again', answers: ['api.reply-lost', 'api.conflict'], asked: 2, honoured: true },
    {
      it: 'three lost ones say nothing',
      answers: ['api.reply-lost'],
      asked: 3,
      honoured: false,
      note: 'it is not known',
    },
  ])('$it', async ({ answers, asked: times, honoured, note }) => {
    const { asked, precondition } = asking([planned(gvc, 'patch')], answers);
    expect(await precondition.isHonoured()).toBe(honoured);
    expect(asked).toHaveLength(times);
    expect(precondition.notes()).toEqual(
      note === undefined ? [] : [expect.stringMatching(new RegExp(`^${note}.*: ${reads.replace(/[()]/g, '\\$&')}; `))],
    );
  });

  test('is sent once, however many ask at the same time', async () => {
    const { asked, precondition } = asking([planned(gvc, 'patch')], ['taken']);
    expect(await Promise.all([precondition.isHonoured(), precondition.isHonoured()])).toEqual([false, false]);
    expect(asked).toHaveLength(1);
    expect(precondition.notes()).toEqual([expect.stringContaining('(2 reads more)')]);
  });

  test('is sent again only when the record that answered turns out to be busy; then the new answer counts', async () => {
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

  test('hides no mistake of our own', async () => {
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

test('a platform that says so is not asked, until a reply shows the contrary; nothing was read before it did', async () => {
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
