import { describe, expect, test } from 'vitest';
import type { Fault } from '../harness/fakePlatform.ts';
import { fakePlatform } from '../harness/harness.ts';
import { body, patching, plan, ref, stack, tags } from '../harness/plans.ts';
import { planned, type RunRow, testRuns } from '../harness/runText.ts';

const gvc = 'gvc/shop';
const part = `gantry/applied.${stack}`;
const patched = 'patch gvc/shop at(3)';
const asked = 'patch gvc/shop at(3) part; keep group/a';
const unseen = { ignoresVersions: true, unsaid: true } as const;
const changed = 'failed gvc/shop plan.stale (= gvc/shop has changed since the plan was made';

// biome-ignore format: a row is a case
const patches: readonly RunRow[] = [
  ['of a changed record is stale without details if it cannot be planned again', patched,
    'gvc/shop: edited(5)', `${changed}: it was at version 3, now it is at 5)`],
  ['with a missing reference (404) fails without a repetition', patched,
    'patch gvc/shop: api.not-found', 'failed gvc/shop api.not-found; sent patch gvc/shop'],
  ['that another run made is no race: nothing was written after theirs', patched,
    'gvc/shop: tagged(4,gantry/applied,1;lgvc/shop;v4), edited(4,new)',
    'done gvc/shop; already gvc/shop; races nothing'],
  ['with nothing left names the version that caused it', patched, 'gvc/shop: edited(6,newer)',
    'races gvc/shop written 3-6 theirs(description) not-written() by(unknown)', { again: false }],
  ['is not sent without checked versions if the record was deleted', asked, 'gvc/shop: gone',
    `${changed}: it no longer exists)`, unseen],
  ['is not sent without checked versions if another record has the same version', asked,
    'gvc/shop: recreated(3)', `${changed}: it was deleted, and another record was created under its name)`, unseen],
  ['carried out for another version is ours, after theirs: their last version is the one before', patched,
    'gvc/shop: tagged(4)', 'races gvc/shop written 3-4 theirs(tags.team) not-written() by(unknown); versions gvc/shop@5',
    { ignoresVersions: true }],
  ['carried out for another version, if versions jump: their last version is unknown', patched,
    'gvc/shop: tagged(4)',
    'races gvc/shop written 3-unknown theirs(tags.team) not-written() by(unknown); versions gvc/shop@5',
    { ignoresVersions: true, knows: [['version.plus-one', 'otherwise']] }],
];

// biome-ignore format: a row is a case
const forgotten: readonly RunRow[] = [
  ['is not expected to be owned afterwards', 'forget gvc/shop', '',
    'done gvc/shop; verified true; versions gvc/shop@undefined'],
  ['is released too if another stack adopted it first', 'forget gvc/shop', 'gvc/shop: stolen(2)',
    'done gvc/shop; verified true', { again: false }],
  ['was not released by this run if another write removed its tags before the lost one', 'forget gvc/shop',
    'patch gvc/shop: unsent; read gvc/shop: disowned(2) & edited(3)', 'failed gvc/shop plan.stale; reached nothing'],
  ['is a difference if it was to be changed and not released', patched, 'gvc/shop: stolen(4), edited(4,new)',
    'verified false; differences gvc/shop was written, but no longer exists or is no longer owned', { again: false }],
];

// biome-ignore format: a row is a case
const steps: readonly RunRow[] = [
  ['has no second step', 'create gvc/shop then', 'create gvc/shop: api.quota(quota)',
    'failed gvc/shop api.quota (= quota); log create gvc/shop'],
  ['does not wait until it is ready', 'create workload/shop/web wait', 'create workload/shop/web: api.quota(quota)',
    'failed workload/shop/web api.quota (= quota); log create workload/shop/web'],
];

describe('a patch', () => {
  testRuns(patches);

  test('of a busy record is repeated after twice as long each time, within the time limit', async () => {
    const { platform, clock, apply } = planned(patched);
    platform.fault('patch', gvc, ...Array.from({ length: 99 }, (): Fault => ({ kind: 'error', code: 'api.conflict' })));
    const { result, events } = await apply({ patience: { busyMs: 5_000 }, random: () => 0.999 });
    expect(result.failed).toMatchObject([{ id: gvc, error: { code: 'api.conflict' } }]);
    const delays = events.flatMap((event) => (event.type === 'retrying' ? [event.delayMs] : []));
    expect(delays).toEqual([100, 200, 400, 800, 1600]);
    expect(clock.now()).toBeLessThan(5_000);
  });
});

describe('a record that no longer belongs to the stack', () => {
  testRuns(forgotten);

  test.each([
    { isBack: false, outcome: { done: [gvc], verified: true } },
    { isBack: true, outcome: { verified: false, differences: [`${gvc} was forgotten, but is owned again`] } },
  ])('is a difference if a released part is back afterwards: $isBack', async ({ isBack, outcome }) => {
    const { platform, apply } = fakePlatform();
    const theirs = { 'gantry/stack': 'bank', 'gantry/applied': '1;lbank;v2', [part]: 'x' };
    const live = platform.put(ref(gvc), { description: 'old', tags: theirs });
    const happens = () => void platform.put(live.ref, live.record, 3, live.uid);
    if (isBack) platform.fault('owned', stack, { kind: 'meanwhile', happens });
    const dropped = body({ tags: { [part]: null }, id: live.uid, version: live.version });
    const change = patching(live, {}, { patch: dropped, expected: body({ description: 'old' }), part: true });
    const { result, events } = await apply(plan(change));
    expect(result).toMatchObject(outcome);
    expect(events.at(-1)).toMatchObject({ type: 'done', version: undefined });
  });

  test('is still owned after the first of two steps if the second one releases it', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
    const own = ['gantry/stack', 'gantry/applied'];
    const releasing = patching(
      live,
      { description: 'back' },
      {
        action: 'forget',
        then: body({ tags: Object.fromEntries(own.map((key) => [key, null])) }),
        expectedThen: body({ description: 'back' }),
      },
    );
    const { result } = await apply(plan(releasing));
    expect(result).toMatchObject({ done: [gvc], failed: [], verified: true });
    expect(platform.at(gvc)).toMatchObject({ version: 3, record: { description: 'back', tags: {} } });
  });
});

describe('a written part', () => {
  const theirs = { 'gantry/stack': 'bank', 'gantry/applied': '1;lbank;v2' };
  const markedAt = (version: number) => ({ ...theirs, [part]: `1;lgvc/shop;v${version}` });

  function world() {
    const made = fakePlatform();
    const live = made.platform.put(ref(gvc), { description: 'old', tags: theirs }, 3);
    const record = { description: 'new', tags: markedAt(4) };
    return { ...made, live, writing: plan(patching(live, record, { part: true })) };
  }

  test('is expected afterwards, with its record owned by others', async () => {
    const { apply, writing } = world();
    const { result, events } = await apply(writing);
    expect(result).toMatchObject({ done: [gvc], verified: true });
    expect(events.at(-1)).toMatchObject({ type: 'done', version: 4 });
  });

  test('has its own mark at the version of its write, if the version of the record rose by itself', async () => {
    const { apply, platform, live, writing } = world();
    platform.put(live.ref, live.record, 6, live.uid);
    const { result } = await apply(writing, { planned: () => live });
    expect(result).toMatchObject({ done: [gvc], verified: true });
    expect(platform.at(gvc)?.record['tags']).toEqual(markedAt(7));
  });

  test('is not compared after a later write of others, which only a new plan of the part can judge', async () => {
    const { apply, platform, live, writing } = world();
    const happens = () => void platform.put(live.ref, { description: 'theirs', tags: markedAt(4) }, 9, live.uid);
    platform.fault('owned', stack, { kind: 'meanwhile', happens });
    const { result } = await apply(writing);
    expect(result).toMatchObject({ verified: true, compared: { notCompared: [gvc] } });
  });
});

describe('a change of several steps whose first one fails', () => testRuns(steps));
