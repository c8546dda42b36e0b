import { describe, expect, test } from 'vitest';
import { objectAt, stringAt } from '../../../src/base/json/json.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import { appliedTag, ownerTag } from '../../../src/manifest/model/ownTags.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { readApplied } from '../../../src/plan/record/ownership.ts';
import { actions, changeOf, codes, declare, foreign, hash, live, owner, plan, snapshot, workload } from '../world.ts';

interface Case {
  readonly it: string;
  readonly desired?: readonly DesiredResource[];
  readonly live?: readonly LiveResource[];
  readonly options?: Partial<PlanOptions>;
  readonly actions: readonly string[];
  readonly codes?: readonly string[];
}

const retained = { applied: { retain: true } };
// biome-ignore format: a row is a case
const cases: readonly Case[] = [
  { it: 'creates a missing resource', desired: [declare('gvc/shop')], actions: ['create gvc/shop'] },
  { it: 'keeps a resource that equals its declaration',
    desired: [declare('gvc/shop')], live: [live('gvc/shop')], actions: [] },
  { it: 'patches a differing resource',
    desired: [declare('gvc/shop', { description: 'ours' })], live: [live('gvc/shop')],
    actions: ['patch gvc/shop'] },
  { it: 'deletes a resource that is no longer declared', desired: [declare('gvc/shop')],
    live: [live('gvc/shop'), live('secret/old', { type: 'opaque' })], actions: ['delete secret/old'] },
  { it: 'keeps a resource that a partial input does not declare', live: [live('secret/old', { type: 'opaque' })],
    options: { scope: 'partial' }, actions: [] },
  { it: 'deletes it from a partial input with --prune', desired: [declare('gvc/shop')],
    live: [live('gvc/shop'), live('secret/old', { type: 'opaque' })], options: { scope: 'partial', prune: true },
    actions: ['delete secret/old'] },
  { it: 'keeps a resource of another owner', desired: [declare('gvc/shop')],
    live: [live('gvc/shop'), live('secret/theirs', {}, { owner: 'bank' }), foreign('secret/nobodys')], actions: [] },
  { it: 'never deletes a copy', desired: [declare('gvc/shop')],
    live: [live('gvc/shop'), live('secret/copy', {}, { applied: { link: '/org/o/secret/origin' } })], actions: [] },
  { it: 'never deletes a resource that lost its record', desired: [declare('gvc/shop')],
    live: [live('gvc/shop'), live('secret/odd', {}, { applied: null })], actions: [] },
  { it: 'releases a retained resource', desired: [declare('gvc/shop')],
    live: [live('gvc/shop'), live('secret/kept', {}, retained)], actions: ['forget secret/kept'] },
  { it: 'records retention, or its end, in the same apply',
    desired: [declare('gvc/shop', {}, { retain: true }), declare('secret/kept')],
    live: [live('gvc/shop'), live('secret/kept', {}, retained)], actions: ['patch gvc/shop', 'patch secret/kept'] },
  { it: 'releases a kind that the platform never deletes', desired: [declare('gvc/shop')],
    live: [live('gvc/shop'), live('auditctx/ledger')], actions: ['forget auditctx/ledger'] },
  { it: 'releases a built-in record', desired: [declare('gvc/shop')],
    live: [live('gvc/shop'), live('location/aws-eu-central-1', { origin: 'builtin' })],
    actions: ['forget location/aws-eu-central-1'] },
  { it: 'refuses an existing resource without an owner', desired: [declare('gvc/shop')], live: [foreign('gvc/shop')],
    actions: ['refuse gvc/shop'], codes: ['adopt.not-asked'] },
  { it: 'adopts it with --adopt', desired: [declare('gvc/shop')], live: [foreign('gvc/shop')], options: { adopt: true },
    actions: ['adopt gvc/shop'] },
  { it: 'adopts it with lifecycle.adopt', desired: [declare('gvc/shop', {}, { adopt: true })],
    live: [foreign('gvc/shop')], actions: ['adopt gvc/shop'] },
  { it: 'refuses a copy as a resource without an owner', desired: [declare('gvc/shop')],
    live: [live('gvc/shop', {}, { applied: { link: '/org/o/gvc/origin' } })], actions: ['refuse gvc/shop'],
    codes: ['adopt.not-asked'] },
  { it: 'refuses a resource of another stack, with any permit', desired: [declare('gvc/shop', {}, { adopt: true })],
    live: [live('gvc/shop', {}, { owner: 'bank' })], options: { adopt: true }, actions: ['refuse gvc/shop'],
    codes: ['owner.other'] },
  { it: 'refuses an empty stack', live: [live('secret/old')], actions: ['delete secret/old'], codes: ['stack.empty'] },
  { it: 'deletes everything if the empty stack is permitted', live: [live('secret/old')], options: { allowEmpty: true },
    actions: ['delete secret/old'] },
  { it: 'accepts an empty stack that owns nothing', actions: [] },
  { it: 'refuses more deletions than permitted', desired: [declare('gvc/shop')],
    live: [live('gvc/shop'), live('secret/a'), live('secret/b')], options: { maxDeletes: 1 },
    actions: ['delete secret/a', 'delete secret/b'], codes: ['delete.too-many'] },
];

describe('the action for each resource', () => {
  test.each(cases)('$it', (given) => {
    const made = plan(given.desired ?? [], given.live ?? [], given.options);
    expect(actions(made)).toEqual(given.actions);
    expect(codes(made)).toEqual(given.codes ?? []);
  });
});

describe('the two own tags', () => {
  test('a creation contains owner and record beside the declared tags', () => {
    const made = plan([declare('gvc/shop', { tags: { team: 'a' } }, { retain: true })], []);
    const tags = objectAt(changeOf(made, 'gvc/shop').create?.expose() ?? {}, 'tags');
    expect(tags).toMatchObject({ team: 'a', [ownerTag]: owner });
    expect(readApplied(stringAt(tags, appliedTag) ?? '')).toMatchObject({ version: 1, retain: true });
  });

  test('a patch contains the version that it produces and is pinned to the live version', () => {
    const made = plan([declare('gvc/shop', { description: 'ours' })], [live('gvc/shop', {}, { version: 4 })]);
    const patch = changeOf(made, 'gvc/shop').patch?.expose() ?? {};
    expect(patch).toMatchObject({ id: 'uid-gvc/shop', version: 4, description: 'ours' });
    expect(readApplied(stringAt(objectAt(patch, 'tags'), appliedTag) ?? '')?.version).toBe(5);
    expect(changeOf(made, 'gvc/shop')).toMatchObject({ liveVersion: 4, liveUid: 'uid-gvc/shop' });
  });

  test('they are never written alone: a record in an older form causes no change', () => {
    expect(actions(plan([declare('gvc/shop')], [live('gvc/shop', {}, { applied: { version: 99 } })]))).toEqual([]);
    expect(actions(plan([declare('gvc/shop')], [live('gvc/shop', {}, { applied: null })]))).toEqual([]);
  });

  test('an adoption writes them even without other differences', () => {
    const made = plan([declare('gvc/shop')], [foreign('gvc/shop')], { adopt: true });
    const patch = changeOf(made, 'gvc/shop').patch?.expose() ?? {};
    expect(Object.keys(patch).sort()).toEqual(['id', 'tags', 'version']);
    expect(objectAt(patch, 'tags')[ownerTag]).toBe(owner);
  });

  test('releasing a resource removes them and nothing else', () => {
    const made = plan([declare('gvc/shop')], [live('gvc/shop'), live('auditctx/ledger', { tags: { team: 'a' } })]);
    const patch = changeOf(made, 'auditctx/ledger').patch?.expose();
    expect(patch).toEqual({ id: 'uid-auditctx/ledger', version: 1, tags: { $drop: [ownerTag, appliedTag] } });
    expect(changeOf(made, 'auditctx/ledger').expected?.expose()).toEqual({ tags: { team: 'a' } });
  });

  test('a lost owner is reported with the known facts about its writer', () => {
    const erased = live('gvc/shop', { lastModified: '2026-01-02T03:04:05Z' }, { owner: null });
    const change = changeOf(plan([declare('gvc/shop')], [erased]), 'gvc/shop');
    expect(change.action).toBe('refuse');
    expect(change).toMatchObject({ ownerLost: true, intended: 'adopt' });
    expect(change.notes.join()).toMatch(/owner-lost.*2026-01-02/);
    expect(changeOf(plan([declare('gvc/shop')], [erased], { adopt: true }), 'gvc/shop').ownerLost).toBe(true);
    expect(changeOf(plan([declare('gvc/shop')], [live('gvc/shop')]), 'gvc/shop')).not.toHaveProperty('ownerLost');
  });

  test('a service-class field that the stack set and no longer declares is removed once', () => {
    const spec = { endpointNamingFormat: 'org' };
    const path = 'spec.endpointNamingFormat';
    const set = live('gvc/shop', { spec }, { applied: { servicePaths: [path] } });
    expect(changeOf(plan([declare('gvc/shop')], [set]), 'gvc/shop').action).toBe('patch');
    expect(actions(plan([declare('gvc/shop')], [live('gvc/shop', { spec })]))).toEqual([]);

    const created = changeOf(plan([declare('gvc/shop', { spec })], []), 'gvc/shop').create?.expose() ?? {};
    const recorded = readApplied(stringAt(objectAt(created, 'tags'), appliedTag) ?? '');
    expect(recorded?.fields?.has(hash(path).slice(0, 6))).toBe(true);
  });
});

describe('lifecycle', () => {
  const ignoring = { ignore: ['spec.containers.main.image', 'tags.build'] };

  test('an ignored path is written on creation, and never by a patch', () => {
    const desired = declare('workload/g/web', { ...workload('web:1'), tags: { build: '1' } }, ignoring);
    const gvc = declare('gvc/g');
    expect(changeOf(plan([gvc, desired], []), desired.id).create?.expose()).toMatchObject(workload('web:1'));

    const held = live('workload/g/web', { ...workload('web:7'), tags: { build: '7' } });
    expect(actions(plan([gvc, desired], [live('gvc/g'), held]))).toEqual([]);
  });

  test('protection stays when its declaration is removed, and ends only by protect: false', () => {
    const held = live('gvc/shop', { tags: { 'scheme/protected': 'true' } });
    expect(actions(plan([declare('gvc/shop')], [held]))).toEqual([]);
    expect(
      codes(
        plan([declare('secret/s')], snapshot([held], { closures: new Map([['shop', { known: true, children: [] }]]) })),
      ),
    ).toContain('delete.protected');
    const lifted = changeOf(plan([declare('gvc/shop', {}, { protect: false })], [held]), 'gvc/shop');
    expect(objectAt(lifted.patch?.expose() ?? {}, 'tags')['$drop']).toEqual(['scheme/protected']);
  });
});

describe('fill classes', () => {
  const gvc = [declare('gvc/g')];
  const web = declare('workload/g/web', workload('web:1'));
  const suspended = workload('web:1', [], { defaultOptions: { suspend: true } });

  test('an operational field that an operator switched is reported and not changed', () => {
    const change = changeOf(plan([...gvc, web], [live('gvc/g'), live('workload/g/web', suspended)]), web.id);
    expect(change.action).toBe('keep');
    expect(change.notes.join()).toContain('spec.defaultOptions.suspend');
  });

  test('--revert-operational restores it', () => {
    const held = [live('gvc/g'), live('workload/g/web', suspended)];
    expect(actions(plan([...gvc, web], held, { revertOperational: true }))).toEqual(['patch workload/g/web']);
  });

  test('an unknown live field is no difference; lifecycle.untyped sets one', () => {
    const strange = live('gvc/g', { spec: { unheardOf: { a: 1 } } });
    expect(actions(plan([declare('gvc/g')], [strange]))).toEqual([]);
    const setting = declare('gvc/g', { spec: { unheardOf: { a: 2 } } }, { untyped: ['spec.unheardOf'] });
    expect(changeOf(plan([setting], [strange]), 'gvc/g').patch?.expose()).toMatchObject({
      spec: { unheardOf: { a: 2 } },
    });
  });
});

describe('secrets', () => {
  const secret = declare('secret/s', { type: 'opaque', data: { payload: 'hunter2', encoding: 'plain' } });
  const hidden = live('secret/s', { type: 'opaque' });

  test('no part of a value is in any output', () => {
    const revealed = live('secret/s', { type: 'opaque', data: { payload: 'hunter1', encoding: 'plain' } });
    for (const made of [plan([secret], []), plan([secret], [revealed])]) {
      expect(actions(made)).toHaveLength(1);
      expect(JSON.stringify(made)).not.toContain('hunter');
    }
  });

  test('a changed value is written', () => {
    const revealed = live('secret/s', { type: 'opaque', data: { payload: 'hunter1', encoding: 'plain' } });
    expect(JSON.stringify(changeOf(plan([secret], [revealed]), 'secret/s').patch?.expose())).toContain('hunter2');
  });

  test('an unreadable value is unknown: shown, without a change', () => {
    const change = changeOf(plan([secret], snapshot([hidden], { unrevealed: new Set(['secret/s']) })), 'secret/s');
    expect(change.action).toBe('keep');
    expect(change.notes.join()).toContain('--write-unknown-secrets');
  });

  test('it is written whole with --write-unknown-secrets', () => {
    const state = snapshot([hidden], { unrevealed: new Set(['secret/s']) });
    const change = changeOf(plan([secret], state, { writeUnknownSecrets: true }), 'secret/s');
    expect(change.action).toBe('patch');
    expect(change.patch?.expose()['$replace/data']).toEqual({ payload: 'hunter2', encoding: 'plain' });
  });

  test('a value that a response cannot contain is not expected in it', () => {
    expect(Object.keys(changeOf(plan([secret], []), 'secret/s').expected?.expose() ?? {})).not.toContain('data');
  });
});

test('a copy or a resource without its record is not counted as own; an undeclared own one is', () => {
  const copy = live('secret/copy', {}, { applied: { link: '/org/o/secret/origin' } });
  const odd = live('secret/odd', {}, { applied: null });
  const made = plan([declare('gvc/shop')], [live('gvc/shop'), live('secret/old'), copy, odd], { scope: 'partial' });
  expect(made.changes.map(({ id, action, unowned }) => [id, action, unowned])).toEqual([
    ['gvc/shop', 'keep', undefined],
    ['secret/copy', 'keep', true],
    ['secret/odd', 'keep', true],
    ['secret/old', 'keep', undefined],
  ]);
});
