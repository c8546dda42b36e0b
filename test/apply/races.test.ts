import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { Capabilities } from '../../src/capabilities/capabilities.ts';
import type { WriteEvent } from '../../src/manifest/live/writer.ts';
import { fakePlatform } from './harness/harness.ts';
import { body, creating, deleting, patching, plan, ref, tags } from './harness/plans.ts';

const gvc = 'gvc/shop';

function write(
  version: number,
  name: string,
  record: JsonObject = {},
  action: WriteEvent['action'] = 'edit',
): WriteEvent {
  return { version, at: '2026-01-01T00:00:00Z', action, writer: { name, type: 'user' }, record };
}

const trail =
  (...writes: readonly WriteEvent[]) =>
  () =>
    Promise.resolve(writes);

const field = (old: string) => ({ fields: [{ path: 'description', old, new: 'new' }] });

function setUp(theirs: JsonObject) {
  const fake = fakePlatform();
  const record = { name: 'shop', description: 'old', tags: tags(gvc, 3) };
  const live = fake.platform.put(ref(gvc), record, 3);
  const expected = body({ ...record, description: 'new', tags: tags(gvc, 4) });
  fake.platform.put(ref(gvc), { ...record, ...theirs }, 5, live.uid);
  return { ...fake, live, planned: plan(patching(live, { description: 'new' }, { ...field('old'), expected })) };
}

describe('a patch that was written on top of another write', () => {
  const writesOf = trail(write(6, 'us'), write(5, 'bob'), write(4, 'ann'), write(3, 'us'));

  test('names who wrote in between, and which fields of theirs are still there', async () => {
    const { apply, planned } = setUp({ tags: { ...tags(gvc, 3), theirs: 'kept' } });
    const { result } = await apply(planned, {
      writesOf,
      replan: (_, now) => patching(now, { description: 'new' }, field('old')),
    });
    expect(result.races).toEqual([
      { id: gvc, outcome: 'written', from: 3, to: 5, theirs: ['tags.theirs'], notWritten: [], by: ['ann', 'bob'] },
    ]);
  });

  test('is not told as changed by this run where another run has made the same write, or nothing is left of it', async () => {
    const same = setUp({ description: 'new', tags: tags(gvc, 4) });
    const landed = await same.apply(same.planned);
    expect(landed.events.at(-1)).toMatchObject({ type: 'done', id: gvc, version: 5, already: true });
    expect(landed.result.changes).toMatchObject([{ id: gvc, outcome: 'done', already: true }]);

    const other = setUp({ description: 'newer' });
    const { events } = await other.apply(other.planned, { replan: () => undefined });
    expect(events.at(-1)).toMatchObject({ type: 'done', already: true });

    const own = setUp({ tags: { ...tags(gvc, 3), theirs: 'kept' } });
    own.platform.fault('patch', gvc, { kind: 'error', code: 'api.conflict' }, { kind: 'lost-after' });
    const ours = await own.apply(own.planned, {
      replan: (_, now) => patching(now, { description: 'new' }, field('old')),
    });
    expect(ours.events.at(-1)).not.toHaveProperty('already');

    const created = fakePlatform();
    created.platform.put(ref(gvc), { description: 'made', tags: tags(gvc) });
    expect((await created.apply(plan(creating(gvc)))).events.at(-1)).toMatchObject({ type: 'done', already: true });
    const lost = fakePlatform();
    lost.platform.fault('create', gvc, { kind: 'lost-after' });
    expect((await lost.apply(plan(creating(gvc)))).events.at(-1)).not.toHaveProperty('already');
  });

  test('is told of also when the answer of our own write was lost', async () => {
    const { platform, apply, planned } = setUp({ tags: { ...tags(gvc, 3), theirs: 'kept' } });
    platform.fault('patch', gvc, { kind: 'error', code: 'api.conflict' }, { kind: 'lost-after' });
    const { result } = await apply(planned, {
      writesOf,
      replan: (_, now) => patching(now, { description: 'new' }, field('old')),
    });
    expect(result.done).toEqual([gvc]);
    expect(result.races).toEqual([
      { id: gvc, outcome: 'written', from: 3, to: 5, theirs: ['tags.theirs'], notWritten: [], by: ['ann', 'bob'] },
    ]);
  });

  test('has an unknown writer where the audit trail cannot be read', async () => {
    const { apply, planned } = setUp({ tags: { ...tags(gvc, 3), theirs: 'kept' } });
    const { result } = await apply(planned, {
      replan: (_, now) => patching(now, { description: 'new' }, field('old')),
    });
    expect(result.races).toMatchObject([{ by: ['unknown'] }]);
  });
});

test('our own write, whose answer was lost and which was not seen at first, is no race', async () => {
  const { platform, apply } = fakePlatform({ ignoresVersions: true });
  const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
  const picture = platform.picture();
  const made = { ...plan(patching(live, { description: 'new' })), preconditions: 'unsaid' as const };
  const nothing = { kind: 'meanwhile', happens: () => {} } as const;
  platform.fault('patch', gvc, nothing, { kind: 'lost-after' });
  platform.fault('read', gvc, nothing, { kind: 'stale', picture });
  const { result } = await apply(made, { replan: () => undefined });
  expect(result.done).toEqual([gvc]);
  expect(result.races).toBeUndefined();
});

test.each([
  { it: 'blames nobody where versions do not tell who wrote last', counts: undefined, outcome: 'unsure' },
  { it: 'was changed by another writer where versions count writes', counts: 'holds', outcome: 'stale' },
] as const)(
  'a write of ours, whose answer was lost and which is not as it was sent, $it',
  async ({ counts, outcome }) => {
    const { platform, apply } = fakePlatform();
    const capabilities = new Capabilities(counts === undefined ? [] : [['version.plus-one', counts]]);
    Object.assign(platform, { capabilities });
    const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc, 3) }, 3);
    const sent = { name: 'shop', description: 'new', tags: tags(gvc, 4) };
    const happens = () => platform.put(ref(gvc), { ...sent, description: 'NEW' }, 9, live.uid);
    platform.fault('patch', gvc, { kind: 'lost-after' });
    platform.fault('read', gvc, { kind: 'meanwhile', happens });
    const planned = plan(patching(live, sent, { ...field('old'), expected: body(sent) }));
    const { result } = await apply(planned, {
      replan: (_, now) => patching(now, { description: 'new' }, field('NEW')),
    });
    expect(result.races).toMatchObject([{ id: gvc, outcome, from: 3, to: 9, by: ['unknown'] }]);
    if (outcome === 'unsure') expect(result.races).toMatchObject([{ theirs: ['description'], notWritten: [] }]);
  },
);

describe('a patch that is stale', () => {
  test('names the field that they wrote and that ours was not written', async () => {
    const { apply, planned } = setUp({ description: 'theirs' });
    const { result } = await apply(planned, {
      writesOf: trail(write(5, 'ann'), write(4, 'ann')),
      replan: (_, now) => patching(now, { description: 'new' }, field('theirs')),
    });
    expect(result.races).toEqual([
      { id: gvc, outcome: 'stale', from: 3, to: 5, theirs: ['description'], notWritten: ['description'], by: ['ann'] },
    ]);
  });

  test('because the record is gone names who deleted it', async () => {
    const { platform, apply, planned } = setUp({});
    platform.drop(gvc);
    const writesOf = trail(write(3, 'ann', {}, 'delete'), write(3, 'us'));
    const { result } = await apply(planned, { writesOf });
    expect(result.races).toEqual([
      { id: gvc, outcome: 'stale', from: 3, theirs: [], notWritten: ['description'], by: ['ann'] },
    ]);
  });
});

test('a name that somebody else took says what is different there', async () => {
  const { platform, apply } = fakePlatform();
  platform.put(ref(gvc), { description: 'theirs', tags: { team: 'blue' } });
  const { result } = await apply(plan(creating(gvc)), { writesOf: trail(write(1, 'bob', {}, 'create')) });
  expect(result.races).toEqual([
    {
      id: gvc,
      outcome: 'stale',
      from: 0,
      to: 1,
      theirs: ['description', 'tags.team'],
      notWritten: ['description'],
      by: ['bob'],
    },
  ]);
});

test('a deletion that is stale says by the audit trail what they changed', async () => {
  const { platform, apply } = fakePlatform();
  const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) }, 3);
  platform.put(ref(gvc), { description: 'theirs', tags: tags(gvc) }, 4, live.uid);
  const writesOf = trail(write(4, 'ann'), write(3, 'us', { name: 'shop', description: 'old', tags: tags(gvc) }));
  const { result } = await apply(plan(deleting(live)), { writesOf });
  expect(result.races).toEqual([
    { id: gvc, outcome: 'stale', from: 3, to: 4, theirs: ['description'], notWritten: [], by: ['ann'] },
  ]);
});

test('the trail is asked for records that raced only, and not at all when nothing did', async () => {
  const asked: string[] = [];
  const { platform, apply } = fakePlatform();
  const live = platform.put(ref(gvc), { description: 'old', tags: tags(gvc) });
  const { result } = await apply(plan(patching(live, { description: 'new' }), creating('secret/x')), {
    writesOf: (uid) => Promise.resolve(void asked.push(uid)),
  });
  expect(asked).toEqual([]);
  expect(result.races).toBeUndefined();
});
