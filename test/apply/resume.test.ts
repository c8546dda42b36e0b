import { describe, expect, test } from 'vitest';
import { awaitedNow, type Progress, progressOf, progressOfAll, remainingPlan } from '../../src/apply/resume.ts';
import type { JsonObject } from '../../src/base/json/json.ts';
import { Capabilities } from '../../src/capabilities/capabilities.ts';
import type { LiveResource } from '../../src/manifest/live/snapshot.ts';
import type { Change, Edge } from '../../src/plan/model/change.ts';
import type { Replan } from '../../src/plan/replan.ts';
import { snapshot } from '../plan/world.ts';
import { body, change, creating, patching, plan, ref, tags } from './harness/plans.ts';

const id = 'gvc/shop';
const marked = { 'gantry/replacing': 'shop' };

/** The record of the plan, at this version. */
function live(version: number, record: JsonObject = {}, uid = 'uid-1'): LiveResource {
  return { ref: ref(id), id, uid, version, record: { name: 'shop', description: 'old', tags: tags(id), ...record } };
}

const another = (record: JsonObject) => live(1, record, 'uid-2');
const before = live(3);
const then = body({ alias: 'x', tags: { 'gantry/applied': tags(id, 5)['gantry/applied'] ?? '' } });
const expectedThen = body({ name: 'shop', description: 'new', tags: tags(id, 5) });
const second = { then, expectedThen, thenRequires: [] } as const;

const notAsked: Replan = () => {
  throw new Error('nothing had to be planned again');
};
const half = (of: LiveResource): Progress => ({ as: 'half', live: of, then, expectedThen });
const stale = (moved: string, of?: LiveResource): Progress => ({ as: 'stale', moved, live: of });

const gone = 'it no longer exists';
const replaced = 'it was deleted, and another record was created under its name';
const taken = 'it did not exist; since then, somebody else has created it';
const changed = (version: number) => `it was at version 3, now it is at ${version}`;

describe('the progress of a change', () => {
  const [created, deleted] = [creating(id), change(id, { action: 'delete', liveUid: 'uid-1', liveVersion: 3 })];
  const createdTwice = creating(id, second);
  const replacing = creating(id, { action: 'replace', liveUid: 'uid-1', liveVersion: 3 });
  const replacingTwice = creating(id, { action: 'replace', liveUid: 'uid-1', liveVersion: 3, ...second });
  const patch = { description: 'new' };
  const patched = patching(before, patch);
  const patchedTwice = patching(before, patch, second);
  const forgotten = change(id, { action: 'forget', liveUid: 'uid-1', liveVersion: 3 });
  const [first, both] = [live(4, { ...patch, tags: tags(id, 4) }), live(5, { ...patch, tags: tags(id, 5) })];
  const sent = { description: 'made' };

  interface Case {
    readonly it: string;
    readonly of: Change;
    readonly now: LiveResource | undefined;
    readonly is: Progress;
  }
  // biome-ignore format: one case a line
  const cases: readonly Case[] = [
    { it: 'a creation: nothing exists', of: created, now: undefined, is: { as: 'open' } },
    { it: 'a creation: the record exists', of: created, now: another(sent), is: { as: 'done' } },
    { it: 'a creation with two steps: the first is done', of: createdTwice, now: another(sent),
      is: half(another(sent)) },
    { it: 'a creation with two steps: both are done', of: createdTwice, now: both, is: { as: 'done' } },
    { it: 'a creation: another client has the name', of: created, now: another({ tags: {} }),
      is: stale(taken, another({ tags: {} })) },
    { it: 'a replacement: it may be between its halves', of: replacing, now: undefined, is: { as: 'open' } },
    { it: 'a replacement: unchanged', of: replacing, now: before, is: { as: 'open' } },
    { it: 'a replacement: only marked', of: replacing, now: live(4, { tags: marked }), is: { as: 'open' } },
    { it: 'a replacement: changed', of: replacing, now: live(4), is: stale(changed(4), live(4)) },
    { it: 'a replacement: marked and changed', of: replacing, now: live(5, { tags: marked }),
      is: stale(changed(5), live(5, { tags: marked })) },
    { it: 'a replacement: marked at another version, from a loaded snapshot', of: replacing,
      now: live(2, { tags: marked }), is: stale(changed(2), live(2, { tags: marked })) },
    { it: 'a replacement: created again', of: replacing, now: another(sent), is: { as: 'done' } },
    { it: 'a replacement with two steps: created again', of: replacingTwice, now: another(sent),
      is: half(another(sent)) },
    { it: 'a replacement: another client created it again', of: replacing, now: another({ tags: marked }),
      is: stale(taken, another({ tags: marked })) },
    { it: 'a deletion: gone', of: deleted, now: undefined, is: { as: 'done' } },
    { it: 'a deletion: another record has the name', of: deleted, now: another({}), is: { as: 'done' } },
    { it: 'a deletion: unchanged', of: deleted, now: before, is: { as: 'open' } },
    { it: 'a deletion before a new name: marked', of: deleted, now: live(4, { tags: marked }), is: { as: 'open' } },
    { it: 'a deletion: changed', of: deleted, now: live(4), is: stale(changed(4), live(4)) },
    { it: 'a patch: unchanged', of: patched, now: before, is: { as: 'open' } },
    { it: 'a patch: the record does not exist', of: patched, now: undefined, is: stale(gone) },
    { it: 'a patch: another record has the name, at the same version', of: patched, now: live(3, {}, 'uid-2'),
      is: stale(replaced, live(3, {}, 'uid-2')) },
    { it: 'a patch: written', of: patched, now: first, is: { as: 'done' } },
    { it: 'a patch with two steps: the first is written', of: patchedTwice, now: first, is: half(first) },
    { it: 'a patch with two steps: both are written', of: patchedTwice, now: both, is: { as: 'done' } },
    { it: 'a release: the record does not exist', of: forgotten, now: undefined, is: { as: 'done' } },
    { it: 'a release: unchanged', of: forgotten, now: before, is: { as: 'open' } },
    { it: 'a kept resource', of: change(id, { action: 'keep' }), now: before, is: { as: 'done' } },
    { it: 'a refused change', of: change(id, { action: 'refuse' }), now: undefined, is: { as: 'done' } },
  ];

  test.each(cases)('$it: $is.as', ({ of, now, is }) => {
    expect(progressOf(of, now, { replan: notAsked, org: 'acme' })).toEqual(is);
  });

  test.each([
    { it: 'a patch', of: patched },
    { it: 'a deletion', of: deleted },
  ])('$it of a record at the same version is stale if versions do not rise and its content differs', ({ of }) => {
    const capabilities = new Capabilities([['version.rises', 'otherwise']]);
    const comparing = { org: 'acme', planned: new Map([[id, before]]), capabilities };
    const again = patching(before, { description: 'other' });
    const now = live(3, { description: 'theirs' });
    expect(progressOf(of, before, { ...comparing, replan: notAsked })).toEqual({ as: 'open' });
    expect(progressOf(of, now, { ...comparing, replan: () => again })).toEqual(
      stale('it was written since, although its version is still 3', now),
    );
  });

  describe('a patch of a record that others wrote since', () => {
    const now = live(7, { alias: 'x' });
    const fields = [{ path: 'description', old: 'old', new: 'new' }];
    const approved = patching(before, patch, { fields });

    test('is done if nothing is left of it', () => {
      const asked: unknown[] = [];
      const replan: Replan = (...given) => {
        asked.push(given);
        return undefined;
      };
      expect(progressOf(approved, now, { replan, org: 'acme' })).toEqual({ as: 'done' });
      expect(asked).toEqual([[id, now]]);
    });

    // biome-ignore format: a row is a case
    test.each([
      { it: 'another patch', again: patching(now, { description: 'other' }, { fields }), moved: changed(7) },
      { it: 'another action', again: change(id, { action: 'adopt', fields }), moved: changed(7) },
      { it: 'the same patch over another value',
        again: patching(now, patch, { fields: [{ path: 'description', old: 'theirs', new: 'new' }] }),
        moved: `${changed(7)}; the change is different for description` },
      { it: 'a refusal',
        again: { ...patching(now, patch, { fields }), refusals: [{ code: 'x', message: 'it is protected' }] },
        moved: `${changed(7)}; it is protected` },
    ])('is stale if it would now be $it', ({ again, moved }) => {
      expect(progressOf(approved, now, { replan: () => again, org: 'acme' })).toEqual(stale(moved, now));
    });

    test('is the same write with the bodies for the current record, at its position', () => {
      const requires = [{ on: 'gvc/other', because: 'it refers to it', soft: false }];
      const own = { requires, reason: 'approved', notes: ['as approved'], wait: true };
      const again = patching(now, patch, { fields, ...second });
      const standing = progressOf(patching(before, patch, { ...own, fields, ...second }), now, {
        replan: () => again,
        org: 'acme',
      });
      if (standing.as !== 'repinned') throw new Error(`it is ${standing.as}`);
      expect(standing.change).toMatchObject({ ...own, fields, action: 'patch', liveUid: 'uid-1', liveVersion: 7 });
      expect(standing.change.patch?.expose()).toMatchObject({ description: 'new', version: 7 });
      expect(standing.change.expected?.expose()).toEqual({ description: 'new', tags: tags(id, 8) });
      expect([standing.change.then, standing.change.expectedThen]).toEqual([then, expectedThen]);
    });

    test('has no second step if others wrote its fields', () => {
      const standing = progressOf(patching(before, patch, { fields, ...second }), now, {
        replan: () => patching(now, patch, { fields }),
        org: 'acme',
      });
      if (standing.as !== 'repinned') throw new Error(`it is ${standing.as}`);
      expect(standing.change).not.toHaveProperty('then');
      expect(standing.change).not.toHaveProperty('expectedThen');
    });
  });

  test('is planned for each change except kept ones, with its own record', () => {
    const made = plan(patched, creating('secret/a'), change('secret/kept', { action: 'keep' }));
    expect(progressOfAll(made, snapshot([before]), { replan: notAsked, org: 'acme' })).toEqual(
      new Map([
        [id, { as: 'open' }],
        ['secret/a', { as: 'open' }],
      ]),
    );
  });
});

describe('the values that a change waits for', () => {
  const web = 'workload/shop/web';
  const endpoint = `\${live.${web}:status.endpoint}`;
  const taking = creating(id, { awaits: [endpoint] });
  const resourcesOf = (record: JsonObject) =>
    snapshot([{ ref: ref(web), id: web, uid: 'uid-9', version: 1, record }]).resources;

  test('are read from the live record', () => {
    const resources = resourcesOf({ status: { endpoint: 'https://web' } });
    expect(awaitedNow(taking, resources)).toEqual(new Map([[endpoint, 'https://web']]));
    expect(awaitedNow(creating(id), resources)).toBeUndefined();
  });

  test.each([
    {
      it: 'are part of what was written, if their record is as planned',
      source: change(web, { action: 'keep' }),
      as: 'done',
      learnt: [new Map([[endpoint, 'https://web']])],
    },
    {
      it: 'are unknown while the change of their record is open',
      source: change(web, { action: 'delete', liveUid: 'uid-9', liveVersion: 1 }),
      as: 'stale',
      learnt: [],
    },
  ])('$it', ({ source, as, learnt }) => {
    const learned: unknown[] = [];
    const replan = Object.assign(notAsked, { learn: (_: string, values: unknown) => void learned.push(values) });
    const made = plan(source, creating(id, { awaits: [endpoint] }, { description: `at ${endpoint}` }));
    const found = another({ description: 'at https://web' });
    const sourceNow = {
      ref: ref(web),
      id: web,
      uid: 'uid-9',
      version: 1,
      record: { status: { endpoint: 'https://web' } },
    };
    const all = progressOfAll(made, snapshot([found, sourceNow]), { replan, org: 'acme' });
    expect(all.get(id)?.as).toBe(as);
    expect(learned).toEqual(learnt);
  });

  test('are unknown without the record, without the value, and until the record is as planned', () => {
    expect(awaitedNow(taking, new Map())).toBeUndefined();
    expect(awaitedNow(taking, resourcesOf({}))).toBeUndefined();
    expect(awaitedNow(taking, resourcesOf({ status: { endpoint: 'https://web' } }), () => false)).toBeUndefined();
  });
});

describe('the rest of a plan', () => {
  const on = (of: string, step?: Edge['step']): Edge => ({
    on: of,
    because: 'it refers to it',
    soft: false,
    ...(step === undefined ? {} : { step }),
  });
  const mixed = [on('gvc/half'), on('gvc/half', 'then'), on('gvc/open')];
  const left = [on('gvc/half', 'then'), on('gvc/open')];

  function restOf(of: Change, standing: Progress | undefined): Change | undefined {
    const standings = new Map<string, Progress>([
      ['gvc/half', half(before)],
      ['gvc/open', { as: 'open' }],
    ]);
    if (standing !== undefined) standings.set(of.id, standing);
    return remainingPlan(plan(of, creating('gvc/half', second), creating('gvc/open')), standings, {
      resources: new Map(),
    }).changes[0];
  }

  test('of a change that is done contains only the wait', () => {
    const web = 'workload/shop/web';
    const of = creating(web, {
      wait: true,
      waitTimeoutMs: 5_000,
      requires: mixed,
      notes: ['a'],
      cascadesTo: ['gvc/x'],
    });
    expect(restOf(of, { as: 'done' })).toEqual({
      id: web,
      ref: ref(web),
      kind: 'workload',
      name: 'web',
      gvc: 'shop',
      action: 'keep',
      reason: '',
      fields: [],
      requires: [],
      cascadesTo: [],
      wait: true,
      waitTimeoutMs: 5_000,
      refusals: [],
      notes: [],
    });
    for (const action of ['forget', 'delete'] as const)
      expect(restOf(change(id, { action }), { as: 'done' })).toMatchObject({ action: 'keep', unchecked: true });
    const known = remainingPlan(plan(creating(id)), new Map([[id, { as: 'done' }]]), snapshot([before]));
    expect(known.changes).toMatchObject([{ action: 'keep', liveUid: 'uid-1', liveVersion: 3 }]);
    expect(known.changes[0]).not.toHaveProperty('unchecked');
    expect(restOf(creating(id), { as: 'done' })).not.toHaveProperty('gvc');
    expect(restOf(creating(id), { as: 'done' })).not.toHaveProperty('waitTimeoutMs');
  });

  const twoSteps = { requires: mixed, ...second, thenRequires: mixed, reason: 'why' };

  test.each([
    { it: 'a creation', of: creating(id, { ...twoSteps, renamedFrom: 'gvc/old' }) },
    {
      it: 'a replacement',
      of: creating(id, { ...twoSteps, action: 'replace', deleteRequires: mixed, losesData: [id] }),
    },
    { it: 'a patch', of: patching(before, { description: 'new' }, twoSteps) },
  ])('of $it whose first step is done contains the second one, pinned to the result of the first', ({ of }) => {
    const written = live(4, {}, 'uid-9');
    const rest = restOf(of, half(written));
    expect(rest).toMatchObject({ action: 'patch', reason: 'why', requires: left, liveUid: 'uid-9', liveVersion: 4 });
    expect(rest?.patch?.expose()).toEqual({ ...then.expose(), id: 'uid-9', version: 4 });
    expect(rest?.expected).toBe(expectedThen);
    for (const field of 'create then expectedThen thenRequires deleteRequires renamedFrom losesData'.split(' '))
      expect(rest).not.toHaveProperty(field);
  });

  test.each<{ readonly it: string; readonly standing: Progress | undefined }>([
    { it: 'open', standing: { as: 'open' } },
    { it: 'unknown', standing: undefined },
    { it: 'stale', standing: stale('x', before) },
  ])('a change that is $it waits for the second steps of half-done changes, and for all open ones', ({ standing }) => {
    const of = creating(id, {
      action: 'replace',
      requires: mixed,
      ...second,
      thenRequires: mixed,
      deleteRequires: mixed,
    });
    expect(restOf(of, standing)).toEqual({ ...of, requires: left, thenRequires: left, deleteRequires: left });
    const plain = creating(id, { requires: mixed });
    expect(restOf(plain, standing)).toEqual({ ...plain, requires: left });
  });

  test('a change with a new pin uses it', () => {
    const repinned = patching(live(7), { description: 'new' }, { requires: mixed });
    expect(
      restOf(patching(before, { description: 'new' }, { requires: mixed }), { as: 'repinned', change: repinned }),
    ).toEqual({ ...repinned, requires: left });
  });
});
