import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import type { Lifecycle } from '../../../src/manifest/model/manifest.ts';
import { appliedTag, ownerTag } from '../../../src/manifest/model/ownTags.ts';
import { makeReplan } from '../../../src/plan/replan.ts';
import { carryOut, ModelPlatform } from '../model.ts';
import { actions, changeOf, codes, declare, foreign, live, options, owner, plan, snapshot } from '../world.ts';

const spec = { type: 'opaque', data: { payload: 'x' } };
const taking = declare('secret/key', spec, { adopt: { from: 'bank' } });
const leaving = (lifecycle: Lifecycle = { handOver: 'shop' }) => declare('secret/key', spec, lifecycle);
const ofBank = live('secret/key', spec, { owner: 'bank', version: 7 });

describe('lifecycle.adopt: {from} adopts a resource of the named stack', () => {
  test('pinned to its version, and only the owner is written', () => {
    const made = plan([taking], [ofBank]);
    expect(actions(made)).toEqual(['adopt secret/key']);
    const change = changeOf(made, 'secret/key');
    expect(change.reason).toBe('adopted from the stack bank');
    expect(change.notes).toEqual([
      'the stack bank has not released it: its plans are refused as long as it declares it without lifecycle.handOver: shop',
    ]);
    expect(change.fields).toEqual([]);
    const body = change.patch?.expose() ?? {};
    expect({ ...body, tags: Object.keys(objectAt(body, 'tags')) }).toEqual({
      id: ofBank.uid,
      version: 7,
      tags: [ownerTag, appliedTag],
    });
  });

  test('from a Terraform state: the plan says once which command is needed, and nothing about a hand-over', () => {
    const from = { adopt: { from: 'terraform.0a1b2c3d4e5f' } };
    const desired = ['group/a', 'group/b'].map((id) => declare(id, {}, from));
    const made = plan(
      desired,
      ['group/a', 'group/b'].map((id) => live(id, {}, { owner: 'terraform.0a1b2c3d4e5f' })),
    );
    expect(actions(made)).toEqual(['adopt group/a', 'adopt group/b']);
    expect(made.changes.map(({ reason, notes }) => [reason, notes])).toEqual([
      ['adopted from the Terraform state terraform.0a1b2c3d4e5f', []],
      ['adopted from the Terraform state terraform.0a1b2c3d4e5f', []],
    ]);
    expect(made.notes).toEqual([
      '2 resources adopted from the Terraform state terraform.0a1b2c3d4e5f: after the apply, take them out of it by ' +
        'terraform state rm ADDRESS, or Terraform goes on to change and delete them',
    ]);
    expect(plan([taking], [ofBank]).notes).toEqual([]);
  });

  test('a resource that the other stack handed over is taken with its claims, by that stack alone', () => {
    const platform = new ModelPlatform();
    const bank = declare('group/a', { tags: { team: 'red' } });
    const turn = (by: string, desired: readonly ReturnType<typeof declare>[]) => {
      carryOut(plan(desired, seenBy(platform, by, desired), { owner: by, adopt: true }), platform, () => 0);
      return objectAt(platform.read({ kind: 'group', name: 'a' })?.record ?? {}, 'tags')['team'];
    };
    const handedOver = (to: string) => {
      platform.put([live('group/a', { tags: { team: 'red' } }, { owner: 'bank' })]);
      turn('bank', [{ ...bank, lifecycle: { handOver: to } }]);
    };
    handedOver('mint');
    expect(turn('shop', [declare('group/a')])).toBe('red');
    handedOver('shop');
    expect(turn('shop', [declare('group/a')])).toBeUndefined();
  });

  test('a resource that the other stack released is adopted without a note', () => {
    const change = changeOf(plan([taking], [foreign('secret/key', spec)]), 'secret/key');
    expect(change.reason).toBe('adopted: it has no owner');
    expect(change.notes).toEqual([]);
  });

  test('fields that only the other stack set are adopted too: a tag that is no longer declared is removed', () => {
    const tagged = live('secret/key', { ...spec, tags: { team: 'bank' } }, { owner: 'bank' });
    const body = changeOf(plan([taking], [tagged]), 'secret/key').patch?.expose() ?? {};
    expect(objectAt(body, 'tags')['$drop']).toEqual(['team']);
  });

  test.each([
    { it: 'a third stack owns it', held: live('secret/key', spec, { owner: 'mint' }), codes: ['owner.other'] },
    { it: 'this stack owns it already', held: live('secret/key', spec), codes: [] },
    { it: 'it was released', held: foreign('secret/key', spec), codes: [] },
  ])('if $it', ({ held, codes: expected }) => {
    expect(codes(plan([taking], [held]))).toEqual(expected);
  });

  test('without it the refusal names the field that would permit it', () => {
    const made = plan([declare('secret/key', spec)], [ofBank]);
    expect(changeOf(made, 'secret/key').refusals).toEqual([
      {
        code: 'owner.other',
        message: 'it belongs to the stack bank; if it was handed over, remove it here, which deletes nothing',
        allow: 'lifecycle.adopt: {from: bank} in its manifest, if that stack hands it over to this one',
      },
    ]);
  });
});

describe('lifecycle.handOver releases without deleting', () => {
  const mine = { owner: 'bank' };
  // biome-ignore format: a row is a case
  test.each([
    { it: 'an own resource is released', held: ofBank, actions: ['forget secret/key'], codes: [] },
    { it: 'a resource that the other stack adopted is kept', held: live('secret/key', spec), actions: [], codes: [] },
    { it: 'a resource without an owner is kept', held: foreign('secret/key', spec), actions: [], codes: [] },
    { it: 'a resource of a third stack is refused', held: live('secret/key', spec, { owner: 'mint' }),
      actions: ['refuse secret/key'], codes: ['owner.other'] },
  ])('$it', ({ held, actions: expected, codes: refused }) => {
    const made = plan([leaving()], [held], mine);
    expect(actions(made)).toEqual(expected);
    expect(codes(made)).toEqual(refused);
  });

  test('to a stack without its project is refused with the name that the owner has', () => {
    const adopted = live('secret/key', spec, { owner: 'shop.p3f9c07a' });
    expect(changeOf(plan([leaving()], [adopted], mine), 'secret/key').refusals).toEqual([
      {
        code: 'owner.other',
        message: 'it is handed over to the stack shop, but belongs to the stack shop.p3f9c07a',
        allow: 'lifecycle.handOver: shop.p3f9c07a in its manifest, or no manifest here, which deletes nothing',
      },
    ]);
  });

  // biome-ignore format: a row is a case
  test.each([
    { it: 'does not exist', state: snapshot([]), note: 'does not exist' },
    { it: 'is not visible', state: snapshot([], { hidden: new Map([['secret/key', 'view']]) }),
      note: 'cannot view it' },
    { it: 'has been adopted by the other stack', state: snapshot([live('secret/key', spec)]),
      note: 'handed over to the stack shop' },
    { it: 'has no owner', state: snapshot([foreign('secret/key', spec)]), note: 'has not adopted it yet' },
  ])('for a resource that $it, a note says so, and nothing is written', ({ state, note }) => {
    const made = plan([leaving()], state, mine);
    expect(changeOf(made, 'secret/key')).toMatchObject({
      ...{ action: 'keep', unchecked: true },
      notes: [expect.stringContaining(note)],
    });
  });

  test('a kept resource is pinned only if it exists', () => {
    expect(changeOf(plan([leaving()], [live('secret/key', spec)], mine), 'secret/key').liveUid).toBe(ofBank.uid);
  });

  test('only its tags of Gantry are written, and the other tags are expected to stay', () => {
    const tagged = live('secret/key', { ...spec, tags: { team: 'red' } }, { owner: 'bank' });
    const left = changeOf(plan([leaving()], [tagged], mine), 'secret/key');
    const applied = expect.stringMatching(/^1;l[\w-]{12};v\d+;i[\w-]*;s;h[\w-]{6}$/);
    expect(left.expected?.expose()).toEqual({ tags: { team: 'red', [appliedTag]: applied } });
    const other = declare('secret/key', { ...spec, description: 'another' }, { handOver: 'shop' });
    const body = changeOf(plan([other], [ofBank], mine), 'secret/key').patch?.expose() ?? {};
    expect(body).toEqual({ id: ofBank.uid, version: 7, tags: { [appliedTag]: applied, $drop: [ownerTag] } });
  });

  test('marked tags are masked in it, and those of Gantry are not', () => {
    const held = live('secret/key', { ...spec, tags: { team: 'b4nk' } });
    const change = changeOf(plan([leaving({ handOver: 'mint', sensitive: ['tags'] })], [held]), 'secret/key');
    const tags = objectAt(change.expected?.masked ?? {}, 'tags');
    expect(tags).toEqual({ team: { sensitive: true }, [appliedTag]: expect.stringMatching(/^1;/) });
    expect(objectAt(change.expected?.expose() ?? {}, 'tags')['team']).toBe('b4nk');
  });

  test('if both stacks plan at the same time, the second one plans again and agrees', () => {
    const taker = makeReplan([taking], snapshot([ofBank]), options);
    expect(taker('secret/key', { ...foreign('secret/key', spec), version: 8 })?.action).toBe('adopt');
    const leaver = makeReplan([leaving()], snapshot([ofBank]), { ...options, owner: 'bank' });
    expect(leaver('secret/key', { ...live('secret/key', spec), version: 8 })).toBeUndefined();
  });
});

describe('in either order', () => {
  const other = declare('group/tellers');
  type Turn = 'old' | 'new';
  const sides: Readonly<Record<string, { readonly old: readonly ReturnType<typeof declare>[] }>> = {
    'handOver in the old stack': { old: [other, leaving()] },
    'removed from the old stack, which had retained it': { old: [other] },
  };

  test.each(
    Object.keys(sides).flatMap((how) => [
      { how, order: ['new', 'old'] as const },
      { how, order: ['old', 'new'] as const },
    ]),
  )('$how: $order end with one record, never deleted, owned by the new stack', ({ how, order }) => {
    const platform = new ModelPlatform();
    platform.put([
      live('group/tellers', {}, { owner: 'bank' }),
      live('secret/key', spec, { owner: 'bank', applied: { retain: true } }),
    ]);
    const uid = platform.read({ kind: 'secret', name: 'key' })?.uid;
    const desired: Readonly<Record<Turn, readonly ReturnType<typeof declare>[]>> = {
      old: sides[how]?.old ?? [],
      new: [taking],
    };
    const run = (turn: Turn): readonly string[] => {
      const by = { owner: turn === 'old' ? 'bank' : owner };
      const made = plan(desired[turn], seenBy(platform, by.owner, desired[turn]), by);
      expect(codes(made)).toEqual([]);
      carryOut(made, platform, () => 0);
      return actions(made);
    };
    for (const turn of order) for (const action of run(turn)) expect(action).not.toMatch(/^delete/);
    expect(run('old')).toEqual([]);
    expect(run('new')).toEqual([]);
    const held = platform.read({ kind: 'secret', name: 'key' });
    expect(held?.uid).toBe(uid);
    expect(objectAt(held?.record ?? {}, 'tags')[ownerTag]).toBe(owner);
  });
});

/** The records that a stack reads: its own and the declared ones. */
function seenBy(platform: ModelPlatform, by: string, desired: readonly { readonly id: string }[]) {
  const wanted = new Set(desired.map(({ id }) => id));
  const tagOf = (record: JsonObject) => objectAt(record, 'tags')[ownerTag];
  return snapshot(
    [...platform.snapshot().resources.values()].filter(({ id, record }) => wanted.has(id) || tagOf(record) === by),
  );
}
