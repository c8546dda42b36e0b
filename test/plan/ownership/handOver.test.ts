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

describe('lifecycle.adopt: {from} takes over what the named stack owns', () => {
  test('with its version, and with nothing but the owner written', () => {
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

  test('from a state of Terraform: the plan says once what is to be done, and nothing of a hand-over', () => {
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

  test('of what the other stack has let go of, nothing is said against it', () => {
    const change = changeOf(plan([taking], [foreign('secret/key', spec)]), 'secret/key');
    expect(change.reason).toBe('adopted: it has no owner');
    expect(change.notes).toEqual([]);
  });

  test('what the other stack had set by itself is taken over too: a tag that is not declared any more goes', () => {
    const tagged = live('secret/key', { ...spec, tags: { team: 'bank' } }, { owner: 'bank' });
    const body = changeOf(plan([taking], [tagged]), 'secret/key').patch?.expose() ?? {};
    expect(objectAt(body, 'tags')['$drop']).toEqual(['team']);
  });

  test.each([
    { it: 'a third stack owns it', held: live('secret/key', spec, { owner: 'mint' }), codes: ['owner.other'] },
    { it: 'it is ours already', held: live('secret/key', spec), codes: [] },
    { it: 'it has been let go of', held: foreign('secret/key', spec), codes: [] },
  ])('where $it', ({ held, codes: expected }) => {
    expect(codes(plan([taking], [held]))).toEqual(expected);
  });

  test('without it the refusal names the field that would allow it', () => {
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

describe('lifecycle.handOver lets go without deleting', () => {
  const mine = { owner: 'bank' };
  test.each([
    { it: 'what is ours is forgotten', held: ofBank, actions: ['forget secret/key'], codes: [] },
    { it: 'what the other has taken stays', held: live('secret/key', spec), actions: [], codes: [] },
    { it: 'what nobody owns stays', held: foreign('secret/key', spec), actions: [], codes: [] },
    {
      it: 'what a third stack owns is refused',
      held: live('secret/key', spec, { owner: 'mint' }),
      actions: ['refuse secret/key'],
      codes: ['owner.other'],
    },
  ])('$it', ({ held, actions: expected, codes: refused }) => {
    const made = plan([leaving()], [held], mine);
    expect(actions(made)).toEqual(expected);
    expect(codes(made)).toEqual(refused);
  });

  test.each([
    { it: 'not there', state: snapshot([]), note: 'does not exist' },
    { it: 'not visible', state: snapshot([], { hidden: new Map([['secret/key', 'view']]) }), note: 'cannot view it' },
    {
      it: 'already with the other',
      state: snapshot([live('secret/key', spec)]),
      note: 'handed over to the stack shop',
    },
    { it: "nobody's", state: snapshot([foreign('secret/key', spec)]), note: 'has not adopted it yet' },
  ])('of what is $it it says so, and writes nothing', ({ state, note }) => {
    const made = plan([leaving()], state, mine);
    expect(changeOf(made, 'secret/key')).toMatchObject({ action: 'keep', notes: [expect.stringContaining(note)] });
  });

  test('what it keeps is pinned to nothing but what is there', () => {
    expect(changeOf(plan([leaving()], [live('secret/key', spec)], mine), 'secret/key').liveUid).toBe(ofBank.uid);
  });

  test('nothing else of it is written, and the other tags are expected to stay', () => {
    const tagged = live('secret/key', { ...spec, tags: { team: 'red' } }, { owner: 'bank' });
    const left = changeOf(plan([leaving()], [tagged], mine), 'secret/key');
    const applied = expect.stringMatching(/^1;l[\w-]{12};v\d+;i[\w-]*;s;h[\w-]{6}$/);
    expect(left.expected?.expose()).toEqual({ tags: { team: 'red', [appliedTag]: applied } });
    const other = declare('secret/key', { ...spec, description: 'another' }, { handOver: 'shop' });
    const body = changeOf(plan([other], [ofBank], mine), 'secret/key').patch?.expose() ?? {};
    expect(body).toEqual({ id: ofBank.uid, version: 7, tags: { [appliedTag]: applied, $drop: [ownerTag] } });
  });

  test('the two at once: whoever comes second plans again, and agrees', () => {
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
  )('$how: $order end with one record, never deleted, that the new stack owns', ({ how, order }) => {
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

/** What a stack reads: what it owns, and what it declares. */
function seenBy(platform: ModelPlatform, by: string, desired: readonly { readonly id: string }[]) {
  const wanted = new Set(desired.map(({ id }) => id));
  const tagOf = (record: JsonObject) => objectAt(record, 'tags')[ownerTag];
  return snapshot(
    [...platform.snapshot().resources.values()].filter(({ id, record }) => wanted.has(id) || tagOf(record) === by),
  );
}
