import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import type { Change, UncheckedChange } from '../../../src/plan/model/change.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import type { Fault } from '../harness/fakePlatform.ts';
import { failures, fakePlatform, writes } from '../harness/harness.ts';
import { body, change, creating, patching, plan, ref, stack, tags } from '../harness/plans.ts';

const gvc = 'gvc/shop';
const part = `gantry/applied.${stack}`;
const unsaid = (...changes: readonly Change[]): Plan => ({ ...plan(...changes), preconditions: 'unsaid' });

/** A GVC at version 3, and the plan of a new description for it. */
function describing(options: Parameters<typeof fakePlatform>[0] = {}) {
  const fake = fakePlatform(options);
  const live = fake.platform.put(ref(gvc), { description: 'old', tags: tags(gvc, 3) }, 3);
  const put = (record: JsonObject, version: number, uid = live.uid) =>
    void fake.platform.put(live.ref, { tags: tags(gvc, 3), ...record }, version, uid);
  return { ...fake, live, put, change: patching(live, { description: 'new' }) };
}

describe('a patch', () => {
  test('of a record that moved says so and nothing more, where it cannot be planned again', async () => {
    const { apply, put, change } = describing();
    put({ description: 'theirs' }, 5);
    const { result } = await apply(plan(change));
    expect(result.failed.map(({ error }) => error.message)).toEqual([
      `${gvc} has changed since the plan was made: it was at version 3, now it is at 5`,
    ]);
  });

  test('that names something which does not exist (404) fails, and is not repeated', async () => {
    const { platform, apply, change } = describing();
    platform.fault('patch', gvc, { kind: 'error', code: 'api.not-found' });
    expect(failures(await apply(plan(change)))).toEqual([`${gvc}: api.not-found`]);
    expect(writes(platform)).toEqual([`patch ${gvc}`]);
  });

  test('of a busy record is repeated after twice as long each time, and never beyond the patience', async () => {
    const { platform, clock, apply, change } = describing();
    platform.fault('patch', gvc, ...Array.from({ length: 99 }, (): Fault => ({ kind: 'error', code: 'api.conflict' })));
    const { result, events } = await apply(plan(change), { patience: { busyMs: 5_000 }, random: () => 0.999 });
    expect(result.failed).toMatchObject([{ id: gvc, error: { code: 'api.conflict' } }]);
    const delays = events.flatMap((event) => (event.type === 'retrying' ? [event.delayMs] : []));
    expect(delays).toEqual([100, 200, 400, 800, 1600]);
    expect(clock.now()).toBeLessThan(5_000);
  });

  test('that another run has made meets no other writer: nothing was written on top of theirs', async () => {
    const { apply, put, change } = describing();
    put({ description: 'new', tags: tags(gvc, 4) }, 4);
    const { result, events } = await apply(plan(change));
    expect(result).toMatchObject({ done: [gvc], failed: [] });
    expect(result.races).toBeUndefined();
    expect(events.at(-1)).toMatchObject({ type: 'done', already: true });
  });

  test('of which nothing is left names the version that made it so', async () => {
    const { apply, put, change } = describing();
    put({ description: 'newer' }, 6);
    const { result } = await apply(plan(change), { replan: () => undefined });
    expect(result.races).toMatchObject([{ id: gvc, outcome: 'written', from: 3, to: 6 }]);
  });

  interface Compared {
    readonly it: string;
    readonly happens: (world: ReturnType<typeof describing>) => void;
    readonly says: string;
  }
  test.each<Compared>([
    { it: 'is gone', happens: ({ platform }) => platform.drop(gvc), says: 'it no longer exists' },
    {
      it: 'is another one of the same version',
      happens: ({ put }) => put({ description: 'theirs' }, 3, 'another'),
      says: 'it was deleted, and another record was created under its name',
    },
  ])('where versions are not looked at is not sent when the record $it', async ({ happens, says }) => {
    const world = describing({ ignoresVersions: true });
    const asked = world.platform.put(ref('group/a'), { tags: tags('group/a') });
    happens(world);
    const keeping = change('group/a', { action: 'keep', liveUid: asked.uid, liveVersion: 1 });
    const { result } = await world.apply(unsaid(patching(world.live, { description: 'new' }, { part: true }), keeping));
    expect(result.failed.map(({ error }) => error.message)).toEqual([
      `${gvc} has changed since the plan was made: ${says}`,
    ]);
  });

  test('that was carried out for another version is ours, on top of theirs: their last version is the one before', async () => {
    const { apply, put, change } = describing({ ignoresVersions: true });
    put({ description: 'old', alias: 'x' }, 4);
    const { result, events } = await apply(plan(change));
    expect(result.races).toMatchObject([{ id: gvc, outcome: 'written', from: 3, to: 4 }]);
    expect(events.at(-1)).toEqual({ type: 'done', id: gvc, version: 5, elapsedMs: 20 });
  });
});

describe('what no longer belongs to the stack', () => {
  /** A PATCH that drops tags. */
  function dropping(live: LiveResource, keys: readonly string[], fields: Partial<UncheckedChange>): Change {
    const nulls = Object.fromEntries(keys.map((key) => [key, null]));
    return change(live.id, {
      action: 'forget',
      patch: body({ tags: nulls, id: live.uid, version: live.version }),
      expected: body({ description: 'old' }),
      liveUid: live.uid,
      liveVersion: live.version,
      ...fields,
    });
  }
  const own = ['gantry/stack', 'gantry/applied'];
  const theirs = { 'gantry/stack': 'bank', 'gantry/applied': '1;lbank;v2' };

  interface Case {
    readonly it: string;
    readonly before: JsonObject;
    readonly keys: readonly string[];
    readonly fields: Partial<UncheckedChange>;
  }
  test.each<Case>([
    { it: 'a resource that is forgotten', before: tags(gvc), keys: own, fields: {} },
    {
      it: 'a part that is given up',
      before: { ...theirs, [part]: 'x' },
      keys: [part],
      fields: { action: 'patch', part: true },
    },
  ])('$it is not expected to be owned afterwards', async ({ before, keys, fields }) => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: before });
    const { result, events } = await apply(plan(dropping(live, keys, fields)));
    expect(result).toMatchObject({ done: [gvc], verified: true });
    expect(events.at(-1)).toMatchObject({ type: 'done', version: undefined });
  });

  test.each<Case>([
    { it: 'a resource that was forgotten', before: tags(gvc), keys: own, fields: {} },
    {
      it: 'a part that was given up',
      before: { ...theirs, [part]: 'x' },
      keys: [part],
      fields: { action: 'patch', part: true },
    },
  ])('$it, and is owned again afterwards, is a difference', async ({ before, keys, fields }) => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: before });
    const happens = () => void platform.put(live.ref, live.record, 3, live.uid);
    platform.fault('owned', stack, { kind: 'meanwhile', happens });
    const { result } = await apply(plan(dropping(live, keys, fields)));
    expect(result).toMatchObject({ verified: false, differences: [`${gvc} was forgotten, but is owned again`] });
  });

  test('because another stack has taken it over first is forgotten, too', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
    platform.put(live.ref, { description: 'old', tags: theirs }, 2, live.uid);
    const { result } = await apply(plan(dropping(live, own, {})), { replan: () => undefined });
    expect(result).toMatchObject({ done: [gvc], verified: true });
  });

  test('by the second of two steps belongs to it after the first one', async () => {
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
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

  test('although it was to be changed and not given up is a difference', async () => {
    const { apply, put, change } = describing();
    put({ description: 'new', tags: theirs }, 4);
    const { result } = await apply(plan(change), { replan: () => undefined });
    expect(result).toMatchObject({ verified: false, differences: [expect.stringContaining('no longer owned')] });
  });
});

test('a part that is written is expected to be there afterwards, and its record to be of others', async () => {
  const { platform, apply } = fakePlatform();
  const live = platform.put(ref(gvc), { description: 'old', tags: { 'gantry/stack': 'bank' } });
  const record = { description: 'new', tags: { 'gantry/stack': 'bank', [part]: 'x' } };
  const writing = patching(live, record, { part: true });
  const { result, events } = await apply(plan(writing));
  expect(result).toMatchObject({ done: [gvc], verified: true });
  expect(events.at(-1)).toMatchObject({ type: 'done', version: 2 });
});

describe('a change of several steps whose first one fails', () => {
  const web = 'workload/shop/web';
  const refused: Fault = { kind: 'error', code: 'api.quota', message: 'quota' };
  const then = body({ description: 'second' });

  test.each([
    { it: 'takes no second step', id: gvc, fields: { then, expectedThen: then }, says: 'quota' },
    { it: 'does not wait until it is ready', id: web, fields: { wait: true }, says: 'quota' },
  ])('$it', async ({ id, fields, says }) => {
    const { platform, apply } = fakePlatform();
    platform.fault('create', id, refused);
    const { result } = await apply(plan(creating(id, fields)));
    expect(result.failed.map(({ error }) => error.message)).toEqual([says]);
    expect(platform.log).toEqual([`create ${id}`]);
  });
});
