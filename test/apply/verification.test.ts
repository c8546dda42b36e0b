import { describe, expect, test } from 'vitest';
import type { ApplyResult } from '../../src/apply/events.ts';
import type { PlatformPort } from '../../src/apply/port.ts';
import { defaultPatience } from '../../src/apply/run.ts';
import { runApply } from '../../src/apply/runApply.ts';
import { verify } from '../../src/apply/verify.ts';
import { Capabilities } from '../../src/capabilities/capabilities.ts';
import type { LiveResource } from '../../src/manifest/live/snapshot.ts';
import type { DesiredResource } from '../../src/manifest/model/manifest.ts';
import { makePlan } from '../../src/plan/makePlan.ts';
import type { Plan } from '../../src/plan/model/plan.ts';
import { makeReplan } from '../../src/plan/replan.ts';
import { ModelPlatform } from '../plan/model.ts';
import { declare, live, options, owner } from '../plan/world.ts';
import { FakeClock } from './harness/fakePlatform.ts';
import { fakePlatform } from './harness/harness.ts';
import { change, creating, deleting, patching, plan, ref, stack, tags } from './harness/plans.ts';
import { type RunRow, testRuns } from './harness/runText.ts';

const patched = 'patch gvc/shop at(3)';
const unchanged = 'create gvc/shop; keep group/kept at(2)';
const counting = [['version.plus-one', 'holds']] as const;
const declares = () => true;
const password = (_: string, now: LiveResource) => ({ ...patching(now, {}), fields: [{ path: 'data.password' }] });
const passwordAndMore = (id: string, now: LiveResource) => ({
  ...password(id, now),
  fields: [{ path: 'data.password' }, { path: 'description' }],
});

// biome-ignore format: a row is a case
const rows: readonly RunRow[] = [
  ['finds a record that went back to an earlier version than the written one',
    patched, 'owned shop: gvc/shop restored(3)',
    'verified false; differences gvc/shop was written as version 4, but is at version 3'],
  ['finds a record in which others reverted the write', patched, 'owned shop: gvc/shop edited(9,old)',
    'verified false; differences gvc/shop was written, but somebody else wrote it since (version 4 to 9): description'],
  ['accuses nobody if versions do not rise by one', patched, 'owned shop: gvc/shop edited(9,old)',
    'verified false; differences gvc/shop was written, but the platform or somebody else wrote it since ' +
    '(version 4 to 9): description', { knows: [['version.plus-one', 'otherwise']] }],
  ['finds a deleted record', patched, 'owned shop: gvc/shop gone',
    'verified false; differences gvc/shop was written, but no longer exists or is no longer owned'],
  ['finds another record of the same name, at a later version', patched, 'owned shop: gvc/shop recreated(9)',
    'verified false; differences gvc/shop was written, but another record has its name now'],
  ['finds a record that was deleted and exists again', 'delete gvc/shop at(3)', 'owned shop: gvc/shop restored(3)',
    'verified false; differences gvc/shop was deleted, but exists again'],
  ['finds a record that was released and is owned again', 'forget gvc/shop at(3)', 'owned shop: gvc/shop restored(5)',
    'verified false; differences gvc/shop was forgotten, but is owned again'],
  ['accepts later writes of others that keep the written values', patched,
    'owned shop: gvc/shop tagged(9)', 'verified true; differences nothing'],
  ['accepts another record under the name of a deleted one', 'delete gvc/shop at(3)',
    'owned shop: gvc/shop recreated', 'verified true; differences nothing'],
  ['reports the differences in order, not in the order of the writes', 'create secret/b; create secret/a',
    'owned shop: secret/b gone & secret/a gone',
    'differences secret/a was written, but no longer exists or is no longer owned, ' +
      'secret/b was written, but no longer exists or is no longer owned', { run: { concurrency: 1 } }],
  ['finds an unchanged record that was deleted during the run', unchanged, 'owned shop: group/kept gone',
    'verified false; differences group/kept was unchanged, but no longer exists or is no longer owned'],
  ['finds another record instead of an unchanged one', unchanged, 'owned shop: group/kept recreated(2)',
    'verified false; differences group/kept was unchanged, but another record has its name now'],
  ['lists again while an unchanged record is shown at an earlier version', unchanged,
    'owned shop: group/kept restored(1), group/kept restored(2)',
    'verified true; lists owned shop, owned shop', { run: { patience: { consistencyMs: 100 } } }],
  ['accepts later writes of others that keep what the second step wrote', 'create gvc/shop then',
    'owned shop: gvc/shop tagged(9)', 'verified true; differences nothing'],
  ['finds an unchanged record that went back to an earlier version', unchanged, 'owned shop: group/kept restored(1)',
    'verified false; differences group/kept was unchanged at version 2, but is at version 1'],
  ['plans an unchanged record again after a write of others: a remaining change is a difference', unchanged,
    'owned shop: group/kept restored(3)', 'verified false', { knows: counting, again: true, run: { declares } }],
  ['plans an unchanged record again after a write of others: without a change it is accepted', unchanged,
    'owned shop: group/kept restored(3)',
    'verified true; rewritten group/kept; not-compared nothing; calls create gvc/shop',
    { knows: counting, again: false, run: { declares } }],
  ['does not attribute an unreadable value to others', 'create gvc/shop; keep secret/kept at(2)',
    'owned shop: secret/kept touched(3)', 'verified true; not-compared secret/kept',
    { run: { declares, replan: password } }],
  ['names what others changed beside an unreadable value', 'create gvc/shop; keep secret/kept at(2)',
    'owned shop: secret/kept edited(3)', 'verified false; differences secret/kept was unchanged, but somebody else wrote ' +
      'it since (version 2 to 3): description', { run: { declares, replan: passwordAndMore } }],
  ['attributes a newer version to no writer if versions do not prove writes',
    'create gvc/shop; keep secret/kept at(2)', 'owned shop: secret/kept restored(3)',
    'verified true; unchanged 1; rewritten nothing', { again: false, run: { declares } }],
  ['lists the records that were not compared, because their declaration is missing', unchanged,
    'group/kept: restored(3)', 'verified true; rewritten nothing; not-compared group/kept'],
  ...['unowned', 'unchecked'].map((how): RunRow => [`expects nothing of what is kept and ${how}`,
    `create gvc/shop; keep group/kept ${how}`, 'group/kept: gone', 'verified true; written 1; unchanged 0']),
  ['lists what a destroyed stack still owns, although the plan did not see it', 'delete group/shown at(3)',
    'group/unseen: made', 'verified false; differences group/unseen belongs to this stack, was not known to the plan, ' +
      'and is still there', { run: { endsEmpty: true } }],
  ['lists no records of others of which a destroyed stack still has a part', 'delete group/shown at(3)',
    'group/theirs: tagged(1,gantry/applied.shop,x)', 'verified true; differences nothing', { run: { endsEmpty: true } }],
  ['names what a destroyed stack still has of its plan once', 'delete group/shown at(3)',
    'owned shop: group/shown restored(3)', 'verified false; differences group/shown was deleted, but exists again',
    { run: { endsEmpty: true } }],
  ['is left to the caller with verifies: false', 'create gvc/shop', '',
    'done gvc/shop; verified nothing; log create gvc/shop', { run: { verifies: false } }],
  ['that fails is reported', 'create gvc/shop', 'owned shop: api.unavailable(no answer)',
    'verified false; differences the records could not be read again: no answer'],
];

describe('verification', () => {
  testRuns(rows);

  test('of two concurrent runs of one stack, one is not verified, as neither leaves its declaration', async () => {
    const platform = new ModelPlatform();
    const declared = (a: string, b: string): readonly DesiredResource[] => [
      declare('group/a', { description: a }),
      declare('group/b', { description: b }),
    ];
    const planned = (desired: readonly DesiredResource[]) => {
      const now = platform.snapshot();
      return { made: makePlan(desired, now, options), replan: makeReplan(desired, now, options) };
    };
    const run = ({ made, replan }: ReturnType<typeof planned>, port: PlatformPort) =>
      runApply(made, port, { clock: new FakeClock(), random: () => 0, concurrency: 1, replan, declares: () => true });
    await run(planned(declared('0', '0')), platform.port(owner));

    // Their run is planned between our two writes, and our second write precedes their verification.
    const port = platform.port(owner);
    const theirs: ApplyResult[] = [];
    const held: PlatformPort['patch'] = async (target, document) => {
      if (target.name === 'a') return port.patch(target, document);
      let ours: Promise<LiveResource> | undefined;
      const owned: PlatformPort['owned'] = async (...given) => {
        ours ??= port.patch(target, document);
        await ours;
        return port.owned(...given);
      };
      theirs.push(await run(planned(declared('2', '0')), { ...port, owned }));
      return ours ?? port.patch(target, document);
    };
    const ours = await run(planned(declared('1', '1')), { ...port, patch: held });
    expect(['a', 'b'].map((name) => platform.read({ kind: 'group', name })?.record['description'])).toEqual(['2', '1']);
    expect(ours.done).toEqual(['group/a', 'group/b']);
    expect([ours, ...theirs].map(({ verified }) => verified)).toEqual([false, false]);
  });

  test('lists once, for the kinds that were written or are declared, and expects no deleted record', async () => {
    const platform = new ModelPlatform();
    const port = platform.port(stack);
    const asked: unknown[] = [];
    const watched = {
      ...port,
      owned: (...given: Parameters<typeof port.owned>) => {
        asked.push(given);
        return port.owned(...given);
      },
    };
    const going = live('group/going', {}, { owner: stack });
    platform.put([live('group/kept', {}, { owner: stack }), going]);
    const kept = change('group/kept', { action: 'keep' });
    const made = plan(
      creating('gvc/a', {}, { description: 'made', spec: {} }),
      creating('gvc/b'),
      kept,
      deleting(platform.read(ref('group/going')) ?? going),
    );
    const { verified } = await runApply(made, watched, { clock: new FakeClock() });
    expect(verified).toBe(true);
    expect(asked).toEqual([[stack, ['gvc', 'group'], ['gvc/a', 'gvc/b', 'group/kept'].map(ref)]]);
  });

  test.each(['create', 'owned'] as const)('an internal error in %s is thrown, not an outcome', async (of) => {
    const port = new ModelPlatform().port(stack);
    const broken = { ...port, [of]: () => Promise.reject(new TypeError('ours')) };
    await expect(runApply(plan(creating('gvc/shop')), broken, { clock: new FakeClock() })).rejects.toThrow(TypeError);
  });
});

test("the plan's keys are found once, however many records others have written since", async () => {
  const { platform, clock } = fakePlatform();
  const ids = ['secret/a', 'secret/b', 'secret/c'];
  const written = new Map(
    ids.map((id) => {
      const stored = platform.put(ref(id), { tags: tags(id) });
      platform.put(ref(id), { tags: tags(id), description: 'theirs' }, 2, stored.uid);
      return [id, { as: 'stored', live: stored }] as const;
    }),
  );
  let looks = 0;
  const made: Plan = {
    ...plan(...ids.map((id) => creating(id))),
    get saves() {
      looks += 1;
      return [];
    },
  };
  const { differences } = await verify({
    plan: made,
    written,
    capabilities: new Capabilities(),
    port: platform,
    clock,
    random: () => 0.5,
    halt: new AbortController().signal,
    patience: defaultPatience,
    planned: () => undefined,
    replan: undefined,
    declares: () => false,
    endsEmpty: false,
    secondSteps: new Map(),
  });
  expect(differences?.map((text) => text.slice(0, 'secret/a'.length))).toEqual(ids);
  expect(looks).toBe(1);
});
