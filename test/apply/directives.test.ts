import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt, own } from '../../src/base/json/json.ts';
import type { LiveResource } from '../../src/manifest/live/snapshot.ts';
import { failures, fakePlatform, writes } from './harness/harness.ts';
import { body, change as changing, patching, plan, ref, tags } from './harness/plans.ts';

const id = 'gvc/shop';
const other = 'gvc/bank';
const directive = { '$append/items': ['b'] };

function world(options: Parameters<typeof fakePlatform>[0] = {}) {
  const made = fakePlatform(options);
  const put = (which: string): LiveResource => made.platform.put(ref(which), { description: 'old', tags: tags(which) });
  return { ...made, live: put(id), bank: put(other) };
}

/** A change of the description with these fields in its PATCH. */
function change(live: LiveResource, beside: JsonObject) {
  return patching(
    live,
    { description: 'new', ...beside },
    {
      fields: [{ path: 'description', old: 'old', new: 'new' }],
      expected: body({ description: 'new', tags: tags(live.id, live.version + 1) }),
    },
  );
}

/** Plans the same change again, in another form. */
function replan(beside: JsonObject = {}) {
  return (_: string, live: LiveResource) => change(live, beside);
}

describe('write.directives: a PATCH that the platform refuses', () => {
  test.each([
    ['write.append', directive],
    ['write.patch-items', { '$patch/items': [{ name: 'b', value: '1' }] }],
    ['write.drop-items', { '$drop/items': ['a'] }],
    ['write.retain', { '$retain/items': ['b'] }],
  ])('%s: is sent again without directives for list items', async (_, refused) => {
    const { platform, apply, live } = world();
    platform.fault('patch', id, { kind: 'error', code: 'api.invalid' });
    const applied = await apply(plan(change(live, refused)), { replan: replan() });
    expect(applied.result).toMatchObject({ done: [id], verified: true });
    expect(writes(platform)).toEqual([`patch ${id}`, `patch ${id}`]);
    expect(platform.at(id)?.record).toMatchObject({ description: 'new' });
  });

  test('fails if the change cannot be planned again', async () => {
    const { platform, apply, live } = world();
    platform.fault('patch', id, { kind: 'error', code: 'api.invalid' });
    const applied = await apply(plan(change(live, directive)));
    expect(failures(applied)).toEqual([`${id}: api.invalid`]);
    expect(applied.result.done).toEqual([]);
  });

  test('proves it for all others, which are not sent in that form', async () => {
    const { platform, apply, live, bank } = world();
    platform.fault('patch', id, { kind: 'error', code: 'api.invalid' });
    const changes = plan(change(live, directive), change(bank, directive));
    const { result } = await apply(changes, { replan: replan(), concurrency: 1 });
    expect(result.done).toHaveLength(2);
    expect(writes(platform).filter((line) => line === `patch ${other}`)).toHaveLength(1);
    expect(platform.at(other)?.record['$append/items']).toBeUndefined();
  });

  test('proves it for concurrent ones too, which are sent again', async () => {
    const { platform, apply, live, bank } = world();
    for (const each of [id, other]) platform.fault('patch', each, { kind: 'error', code: 'api.invalid' });
    const changes = plan(change(live, directive), change(bank, directive));
    const { result } = await apply(changes, { replan: replan(), concurrency: 2 });
    expect(result).toMatchObject({ verified: true });
    expect(result.done).toHaveLength(2);
    expect(platform.at(other)?.record).toMatchObject({ description: 'new' });
  });

  test('write.replace: is sent a third time without $replace', async () => {
    const { platform, apply, live } = world();
    const refused = { kind: 'error', code: 'api.invalid' } as const;
    platform.fault('patch', id, refused, refused);
    const forms = [{ '$replace/items': ['b'] }, {}];
    const { result } = await apply(plan(change(live, directive)), {
      replan: (_, now) => change(now, forms.shift() ?? {}),
    });
    expect(result).toMatchObject({ done: [id], verified: true });
    expect(writes(platform)).toHaveLength(3);
  });

  test('is done without a repetition if nothing is left of it by now', async () => {
    const { platform, apply, live } = world();
    platform.fault('patch', id, { kind: 'error', code: 'api.invalid' });
    const { result } = await apply(plan(change(live, directive)), { replan: () => undefined });
    expect(result).toMatchObject({ done: [id], failed: [], verified: true });
    expect(writes(platform)).toEqual([`patch ${id}`]);
    expect(platform.capabilities.of('write.directives')).toBeUndefined();
  });

  test('fails for the refusal if the record is deleted before it can be planned again', async () => {
    const { platform, apply, live } = world();
    platform.fault('patch', id, { kind: 'error', code: 'api.invalid' });
    const stays = { kind: 'meanwhile', happens: () => {} } as const;
    platform.fault('read', id, stays, { kind: 'meanwhile', happens: () => platform.drop(id) });
    const applied = await apply(plan(change(live, directive)), { replan: replan() });
    expect(failures(applied)).toEqual([`${id}: api.invalid`]);
    expect(platform.capabilities.of('write.directives')).toBeUndefined();
  });

  test('fails without a repetition if it has no directive', async () => {
    const { platform, apply, live } = world();
    platform.fault('patch', id, { kind: 'error', code: 'api.invalid' });
    const applied = await apply(plan(change(live, {})), { replan: replan() });
    expect(failures(applied)).toEqual([`${id}: api.invalid`]);
    expect(writes(platform)).toEqual([`patch ${id}`]);
  });
});

describe('write.directives: a directive that the platform stores as a field', () => {
  const stores = (record: JsonObject): JsonObject => ({ ...record, description: 'old' });

  test.each([
    ['write.directives', directive, {}],
    ['write.list', { items: ['b'] }, {}],
    ['write.directives, with known defaults', directive, { knows: [['value.defaults', 'holds']] } as const],
  ])('%s: is removed again, and the change is written in another form', async (_, sent, options) => {
    const { platform, apply, live } = world(options);
    platform.fault('patch', id, { kind: 'divergent', change: stores });
    const { result } = await apply(plan(change(live, sent)), { replan: replan() });
    expect(result).toMatchObject({ done: [id], verified: true });
    expect(result.notes?.join()).toContain('without directives for the items of lists');
    expect(platform.at(id)?.record['description']).toBe('new');
    expect(platform.at(id)?.record['$append/items']).toBeUndefined();
  });

  test('is a divergence if the other form does not help', async () => {
    const { platform, apply, live } = world();
    platform.fault('patch', id, { kind: 'divergent', change: stores }, { kind: 'divergent', change: stores });
    const applied = await apply(plan(change(live, directive)), { replan: replan() });
    expect(failures(applied)).toEqual([`${id}: apply.divergence`]);
    expect(applied.result.verified).toBe(false);
    expect(writes(platform)).toHaveLength(2);
  });

  test('is a divergence if its removal would change another field', async () => {
    const { platform, apply, live } = world();
    platform.fault('patch', id, { kind: 'divergent', change: stores });
    const applied = await apply(plan(change(live, directive)), {
      replan: (_, now) => ({ ...change(now, {}), fields: [{ path: 'description' }, { path: 'alias' }] }),
    });
    expect(failures(applied)).toEqual([`${id}: apply.divergence`]);
    expect(writes(platform)).toHaveLength(1);
  });

  test('is removed if the platform only spells another field in its own way', async () => {
    const { platform, apply, live } = world();
    platform.fault('patch', id, { kind: 'divergent', change: stores });
    const { result } = await apply(plan(change(live, directive)), {
      replan: (_, now, isAnswer) =>
        isAnswer === true
          ? change(now, {})
          : { ...change(now, {}), fields: [{ path: 'description' }, { path: 'alias' }] },
    });
    expect(result).toMatchObject({ done: [id], verified: true });
    expect(platform.at(id)?.record['description']).toBe('new');
  });

  test('is removed if nothing else is left to do', async () => {
    const { platform, apply, live } = world();
    platform.fault('patch', id, { kind: 'divergent', change: (record) => record });
    const { result } = await apply(plan(change(live, directive)), { replan: replan() });
    expect(result).toMatchObject({ done: [id], verified: true });
    expect(platform.at(id)?.record).toMatchObject({ description: 'new' });
    expect(platform.at(id)?.record['$append/items']).toBeUndefined();
  });

  test.each([
    ['is removed', [], undefined],
    ['is reported if it cannot be removed', [{ kind: 'error', code: 'api.forbidden' }], ['b']],
  ] as const)('%s, if its answer was lost and another write prevents the change', async (_, refused, left) => {
    const { platform, apply, live } = world();
    platform.fault('patch', id, { kind: 'lost-after' }, ...refused);
    const happens = () => {
      const now = platform.at(id) ?? live;
      platform.put(now.ref, { ...now.record, description: 'theirs' }, now.version + 1, now.uid);
    };
    platform.fault('read', id, { kind: 'meanwhile', happens });
    const sent = change(live, { ...directive, tags: tags(id, live.version + 1) });
    const { result } = await apply(plan(sent), {
      planned: () => live,
      replan: (_id, now) => ({ ...change(now, {}), fields: [{ path: 'description', old: 'theirs', new: 'new' }] }),
    });
    expect(result.failed).toMatchObject([{ id, reached: 'written', error: { code: 'plan.stale' } }]);
    expect(platform.at(id)?.record).toMatchObject({ description: 'theirs' });
    expect(platform.at(id)?.record['$append/items']).toEqual(left);
    const note = `the platform stored $append/items in ${id}, and may not have removed it again: check the record`;
    expect(result.notes ?? []).toEqual(left === undefined ? [] : [note]);
  });

  test.each([
    ['if versions do not rise', { nextVersion: () => 1 }, directive, [{ kind: 'divergent', change: stores }]],
    ['if this run does not send it', {}, {}, []],
  ] as const)('left by a killed run is removed too, %s', async (_, options, sent, faults) => {
    const { platform, apply } = fakePlatform(options);
    const live = platform.put(ref(id), { description: 'old', ...directive, tags: tags(id, 2) });
    platform.fault('patch', id, ...faults);
    const { result } = await apply(plan(change(live, sent)), { planned: () => live, replan: replan() });
    expect(result).toMatchObject({ done: [id], verified: true });
    expect(platform.at(id)?.record['$append/items']).toBeUndefined();
  });

  const appended = (record: JsonObject): JsonObject => ({ ...record, memberLinks: ['a', 'b', 'a'] });

  // biome-ignore format: a row is a case
  test.each([
    { it: 'that the platform appended is written again, although the response was lost',
      faults: [{ kind: 'lost-after' }], others: {}, result: { done: ['group/team'], verified: true }, list: ['a'] },
    { it: 'that others appended is not overwritten', faults: [{ kind: 'lost-before' }], others: { by: 'them' },
      result: { failed: [{ error: { code: 'plan.stale' } }] }, list: ['a', 'b', 'a'] },
  ] as const)('write.list: a list $it', async ({ faults, others, result: outcome, list }) => {
    const group = 'group/team';
    const { platform, apply } = fakePlatform();
    const live = platform.put(ref(group), { memberLinks: ['a', 'b'], tags: tags(group) });
    const replaced = (now: LiveResource) =>
      patching(now, { memberLinks: ['a'] }, {
        fields: [{ path: 'memberLinks', old: now.record['memberLinks'] ?? null, new: ['a'] }],
        expected: body({ memberLinks: ['a'], tags: tags(group, now.version + 1) }),
      });
    platform.fault('patch', group, ...faults);
    const happens = () => {
      const now = platform.at(group) ?? live;
      const version = Object.keys(others).length === 0 ? now.version : now.version + 1;
      platform.put(live.ref, appended({ ...now.record, ...others }), version, now.uid);
    };
    platform.fault('read', group, { kind: 'meanwhile', happens });
    const { result } = await apply(plan(replaced(live)), { planned: () => live, replan: (_, now) => replaced(now) });
    expect(result).toMatchObject(outcome);
    expect(platform.at(group)?.record['memberLinks']).toEqual(list);
  });

  test('with a released part is read with the claims of the stack before the write', async () => {
    const { platform, apply } = fakePlatform();
    const claim = 'gantry/applied.shop';
    const live = platform.put(ref('group/team'), { memberLinks: ['a', 'b'], tags: { [claim]: '1;lgroup/team;v1' } });
    const without = (now: LiveResource) =>
      changing('group/team', {
        action: 'patch',
        part: true,
        patch: body({ id: now.uid, version: now.version, memberLinks: ['a'], tags: { $drop: [claim] } }),
        expected: body({ memberLinks: ['a'], tags: {} }),
        fields: [{ path: 'memberLinks', old: ['a', 'b'], new: ['a'] }],
        liveUid: now.uid,
        liveVersion: now.version,
      });
    const appends = (record: JsonObject): JsonObject => ({ ...record, memberLinks: ['a', 'b', 'a'] });
    platform.fault('patch', 'group/team', { kind: 'divergent', change: appends });
    const { result } = await apply(plan(without(live)), {
      planned: () => live,
      replan: (_, now) => (own(objectAt(now.record, 'tags'), claim) === undefined ? undefined : without(now)),
    });
    expect(result).toMatchObject({ done: ['group/team'], verified: true });
    expect(platform.at('group/team')?.record).toMatchObject({ memberLinks: ['a'] });
    expect([...platform.capabilities.defaults()]).toEqual([]);
  });
});
