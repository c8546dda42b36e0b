import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue, listAt, objectAt, own } from '../../../src/base/json/json.ts';
import { Capabilities } from '../../../src/capabilities/capabilities.ts';
import { normalise } from '../../../src/kinds/normalise.ts';
import type { LiveResource, Snapshot } from '../../../src/manifest/live/snapshot.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { after, carriedOut, trailOf } from '../part/domainParts.ts';
import { actions, changeOf, closure, codes, declare, foreign, live, org, plan, snapshot } from '../world.ts';

/** One GVC of the stack `base` with parts of `p1` and `p2`, which share a variable or a tag. */
const id = 'gvc/g';

interface Wishes {
  readonly env?: Readonly<Record<string, string>>;
  readonly tags?: Readonly<Record<string, string>>;
}

function fields({ env = {}, tags = {} }: Wishes): JsonObject {
  return {
    spec: { env: Object.entries(env).map(([name, value]) => ({ name, value })) },
    ...(Object.keys(tags).length === 0 ? {} : { tags }),
  };
}

const whole = (wishes: Wishes): DesiredResource => declare(id, fields(wishes));
const part = (wishes: Wishes, adopt = false): DesiredResource =>
  declare(id, fields(wishes), { part: true, ...(adopt ? { adopt } : {}) });

/** A write by a client without a stack, or by the owner `base`. */
function gvc(wishes: Wishes, stack: string | null = 'base'): LiveResource {
  const record = normalise('gvc', fields(wishes), { org });
  return live(id, record, stack === null ? { owner: null, applied: null } : { owner: stack });
}

function planned(stack: string, desired: readonly DesiredResource[], on: LiveResource, given: Partial<PlanOptions>) {
  const read = snapshot([on], { closures: closure('g', []), ...trailOf(on) });
  return plan(desired, read, { owner: stack, allowEmpty: true, ...given });
}

/** Carries out the plan of a stack; the next plan must be empty. */
function applied(stack: string, desired: readonly DesiredResource[], on: LiveResource): LiveResource {
  const made = planned(stack, desired, on, {});
  expect(codes(made)).toEqual([]);
  const now = carriedOut(made, on);
  expect(actions(planned(stack, desired, now, {}))).toEqual([]);
  return now;
}

const refusals = (stack: string, desired: readonly DesiredResource[], on: LiveResource) =>
  changeOf(planned(stack, desired, on, {}), id).refusals.map(({ message }) => message);

function env({ record }: LiveResource): JsonObject {
  const all = listAt(objectAt(record, 'spec'), 'env').filter(isObject);
  return Object.fromEntries(all.map((each) => [String(each['name']), own(each, 'value') ?? null]));
}

function tags({ record }: LiveResource): JsonObject {
  const all = Object.entries(objectAt(record, 'tags'));
  return Object.fromEntries(all.filter(([key]) => !key.startsWith('gantry/')));
}

/** By a person, in the console. */
function edited(on: LiveResource, change: (record: JsonObject) => JsonObject): LiveResource {
  const version = on.version + 1;
  return after(on, { ...on, version, record: { ...change(on.record), version } });
}

const withEnv = (values: Readonly<Record<string, string>>) => (record: JsonObject) => ({
  ...record,
  spec: { ...objectAt(record, 'spec'), ...objectAt(fields({ env: values }), 'spec') },
});
const withTag =
  (key: string, value: JsonValue | undefined) =>
  (record: JsonObject): JsonObject => {
    const { [key]: _, ...rest } = objectAt(record, 'tags');
    return { ...record, tags: value === undefined ? rest : { ...rest, [key]: value } };
  };

const x: Wishes = { env: { X: '1' } };
const t: Wishes = { tags: { t: '1' } };

// The oracle tests how long it is kept and which other values are refused.
describe.each<[string, Wishes]>([
  ['a variable', x],
  ['a tag', t],
])('%s that two stacks declare with one value', (_, same) => {
  test('is claimed by the second with a write of its tag alone, which the plan shows', () => {
    const on = applied('p1', [part(same)], gvc({}));
    const parts = changeOf(planned('p2', [part(same)], on, {}), id);
    expect(parts).toMatchObject({ action: 'adopt', part: true, fields: [] });
    expect(parts.notes.join()).toMatch(/ is declared by p1 too$/);
    expect(Object.keys(parts.patch?.expose() ?? {}).sort()).toEqual(['id', 'tags', 'version']);
    const owners = changeOf(planned('base', [whole(same)], on, {}), id);
    expect(owners).toMatchObject({ action: 'patch', fields: [] });
    expect(owners.reason).toBe('other stacks claim items of it: what each declares is recorded');
    expect(Object.keys(objectAt(owners.patch?.expose() ?? {}, 'tags')).sort()).toEqual([
      'gantry/applied',
      'gantry/stack',
    ]);
  });
});

describe('an item that a person set and a part also declares', () => {
  test('passes from the owner to a part with lifecycle.adopt, so the owner writes nothing on release', () => {
    const own = applied('base', [whole(t)], gvc({}));
    const again = edited(edited(own, withTag('t', undefined)), withTag('t', '1'));
    const taken = applied('p1', [part(t, true)], again);
    const left = applied('base', [whole({})], taken);
    expect(tags(left)).toEqual({ t: '1' });
    expect(actions(planned('p1', [part(t, true)], left, {}))).toEqual([]);
  });

  test('in a list that the owner ignores does not pass to a part that found it, as the owner still has the list', () => {
    const ignoring = declare(id, fields({}), { ignore: ['spec.env'] });
    const on = edited(applied('base', [whole({})], gvc({})), withEnv({ X: '1' }));
    const found = applied('p1', [part(x)], applied('base', [ignoring], on));
    expect(actions(planned('base', [ignoring], found, {}))).toEqual([]);
    expect(env(applied('p1', [], found))).toEqual({ X: '1' });
  });

  test('of the owner needs no new claim of the owner when a part found it', () => {
    const found = applied('p1', [part(x)], applied('base', [whole(x)], gvc(x)));
    expect(actions(planned('base', [whole(x)], found, {}))).toEqual([]);
  });

  test('in a list of the owner passes to a part that found it when the owner releases it, beside another adopter', () => {
    const both = applied('p2', [part(x, true)], applied('p1', [part(x)], applied('base', [whole(x)], gvc(x))));
    const left = applied('p2', [], applied('base', [whole({})], both));
    expect(env(left)).toEqual({ X: '1' });
    expect(actions(planned('base', [whole({})], left, {}))).toEqual([]);
    expect(env(applied('p1', [], left))).toEqual({});
  });

  test('is not claimed by an owner that ignores it, although it declares it', () => {
    const ignoring = declare(id, fields(x), { ignore: ['spec.env.X'] });
    const made = applied('p1', [part(x)], gvc({}));
    expect(actions(planned('base', [ignoring], made, {}))).toEqual([]);
  });
});

describe.each<[string, Wishes, Wishes, RegExp]>([
  ['a variable', { env: { X: '1' } }, { env: { X: '2' } }, /^spec\.env\.X already exists with another value/],
  ['a tag', { tags: { t: '1' } }, { tags: { t: '2' } }, /^tags\.t already exists with another value/],
])('%s that two stacks declare with different values: the second is refused', (_, one, other, refused) => {
  test('part after part, with lifecycle.adopt too', () => {
    const on = applied('p1', [part(one)], gvc({}));
    for (const adopt of [false, true]) {
      expect(refusals('p2', [part(other, adopt)], on)).toEqual([
        expect.stringMatching(new RegExp(`${refused.source}.*: it belongs to the stack p1$`)),
      ]);
    }
  });
});

describe('an item that a part recorded and a person removed', () => {
  test('is not removed again after another stack declares it', () => {
    const two = applied('p1', [part({ env: { A: '1', B: '1' } })], gvc({}));
    const without = edited(two, withEnv({ B: '1' }));
    expect(actions(planned('p1', [part({ env: { B: '1' } })], without, {}))).toEqual([]);
    const again = applied('p2', [part({ env: { A: '1' } })], without);
    expect(env(applied('p1', [part({ env: { B: '1' } })], again))).toEqual({ A: '1', B: '1' });
    expect(env(applied('p1', [], again))).toEqual({ A: '1' });
  });
});

describe('a claim on an item that a person removed', () => {
  test.each<[string, Wishes, (record: JsonObject) => JsonObject, (on: LiveResource) => JsonObject]>([
    ['a variable', x, withEnv({}), env],
    ['a tag', t, withTag('t', undefined), tags],
  ])('ends when another stack creates the item again, and is struck from the tag: %s', (_, same, without, seen) => {
    const removed = edited(applied('p1', [part(same)], gvc({})), without);
    // p1 no longer declares the item, and has nothing to write.
    for (const stack of ['p2', 'base']) {
      const wish = (wishes: Wishes) => [stack === 'base' ? whole(wishes) : part(wishes)];
      const anew = applied(stack, wish(same), removed);
      expect(Object.keys(objectAt(anew.record, 'tags'))).not.toContain('gantry/applied.p1');
      expect(seen(applied(stack, stack === 'base' ? wish({}) : [], anew))).toEqual({});
    }
  });
});

test('the record of an owner stays without a claim when a part creates its removed tag again', () => {
  const removed = edited(applied('base', [whole(t)], gvc({})), withTag('t', undefined));
  const anew = applied('p1', [part(t)], removed);
  expect(objectAt(anew.record, 'tags')['gantry/applied']).toMatch(/;i;s/);
  expect(tags(applied('base', [whole({})], anew))).toEqual(t.tags);
});

describe.each<[string, 'base' | 'p1', Wishes, (value: string | undefined) => (record: JsonObject) => JsonObject]>([
  ['a tag of the owner', 'base', t, (value) => withTag('t', value)],
  ['a tag of a part', 'p1', t, (value) => withTag('t', value)],
  ['a variable of a part', 'p1', x, (value) => withEnv(value === undefined ? {} : { X: value })],
])('%s that its stack recorded and no longer declares', (_, stack, same, set) => {
  const of = (wishes: Wishes) => [stack === 'base' ? whole(wishes) : part(wishes)];
  const set1 = () => applied(stack, of(same), gvc({}));
  const seen = (on: LiveResource): JsonObject => ({ ...env(on), ...tags(on) });
  const there = (value: string) => (same.tags === undefined ? { X: value } : { t: value });
  const notes = (on: LiveResource, past: Partial<Snapshot> = trailOf(on)) =>
    changeOf(
      plan(of({}), snapshot([on], { closures: closure('g', []), ...past }), { owner: stack, allowEmpty: true }),
      id,
    ).notes.join();

  test('is kept if a person removed it and set it again, with a note', () => {
    const removed = edited(set1(), set(undefined));
    const again = edited(removed, set('1'));
    expect(notes(again)).toMatch(new RegExp(`stays: .* set it after this stack did, in version ${again.version}$`));
    expect(seen(applied(stack, of({}), again))).toEqual(there('1'));
  });

  test('is kept if a person gave it another value', () => {
    expect(seen(applied(stack, of({}), edited(set1(), set('human'))))).toEqual(there('human'));
  });

  test('is removed if others wrote only other fields', () => {
    const moved = [1, 2].reduce(
      (on) => edited(on, (record) => ({ ...record, description: `of ${on.version}` })),
      set1(),
    );
    expect(seen(applied(stack, of({}), moved))).toEqual({});
  });

  test('is removed without reading the audit trail if only stacks that recorded their writes wrote since', () => {
    const on = set1();
    const others = applied('p2', [part({ tags: { other: '1' } })], on);
    for (const each of [on, others]) {
      const made = plan(of({}), snapshot([each], { closures: closure('g', []) }), { owner: stack, allowEmpty: true });
      expect(made.inDoubt).toBeUndefined();
      expect(seen(carriedOut(made, each))).toEqual(each === on ? {} : { other: '1' });
    }
  });

  test('stays in doubt, with a note, if the audit trail cannot be read or lacks a version', () => {
    const moved = edited(
      edited(set1(), (record) => ({ ...record, description: 'a' })),
      (record) => record,
    );
    const short = { past: new Map([[moved.uid, (trailOf(moved).past?.get(moved.uid) ?? []).slice(0, 1)]]) };
    for (const past of [{}, short]) {
      expect(notes(moved, past)).toMatch(/stays: somebody may have set it after this stack did, and the audit trail /);
    }
    expect(notes(moved)).not.toMatch(/may have/);
  });

  test('stays in doubt if an equal version proves nothing, or if the record has an earlier version', () => {
    const capabilities = new Capabilities([['version.rises', 'otherwise']]);
    const earlier = { ...set1(), version: 0 };
    expect(notes(set1())).not.toMatch(/may have/);
    expect(notes(set1(), { capabilities })).toMatch(/stays: somebody may have set it/);
    expect(notes(earlier)).toMatch(/stays: somebody may have set it/);
  });
});

describe('an item that a person set', () => {
  test.each<[string, Wishes, (on: LiveResource) => JsonObject]>([
    ['a variable of a record without an owner', x, env],
    ['a tag of a record without an owner', t, tags],
  ])('is kept when a part that also declared it releases it: %s', (_, same, seen) => {
    const theirs = gvc(same, null);
    expect(seen(applied('p1', [], applied('p1', [part(same)], theirs)))).toEqual(seen(theirs));
  });

  test('is kept when the owner that adopted it releases it: a tag', () => {
    const adopting = (wishes: Wishes) => declare(id, fields(wishes), { adopt: true });
    const adopted = applied('base', [adopting(t)], gvc(t, null));
    const made = planned('base', [whole({})], adopted, {});
    expect(actions(made)).toEqual([]);
    expect(changeOf(made, id).notes).toEqual(['tags.t stays: it existed before this stack declared it']);
  });

  test('is overwritten by a declared value as a shown change, and belongs to the stack from then on', () => {
    const on = edited(gvc({}), withTag('t', 'human'));
    expect(changeOf(planned('base', [whole(t)], on, {}), id).fields).toMatchObject([
      { path: 'tags.t', old: 'human', new: '1' },
    ]);
    expect(tags(applied('base', [whole({})], applied('base', [whole(t)], on)))).toEqual({});
  });
});

describe('the owner of the record', () => {
  test('leaves a tag that a part claimed first when it declares and then drops it', () => {
    const on = applied('base', [whole(t)], applied('p1', [part(t)], gvc({})));
    const left = applied('base', [whole({})], on);
    expect(tags(left)).toEqual({ t: '1' });
    expect(actions(planned('p1', [part(t)], left, {}))).toEqual([]);
  });

  test('drops the tag of its former part when it adopts the whole record, and keeps the claims', () => {
    const on = applied('p1', [part({ ...x, ...t })], gvc({ env: { Y: '1' } }, null));
    const adopting = declare(id, fields({ env: { X: '1', Y: '1' }, ...t }), { adopt: true });
    const taken = applied('p1', [adopting], on);
    expect(Object.keys(objectAt(taken.record, 'tags')).sort()).toEqual(['gantry/applied', 'gantry/stack', 't']);
    const less = applied('p1', [whole({ env: { Y: '1' } })], taken);
    expect([tags(less), env(less)]).toEqual([{}, { Y: '1' }]);
  });

  test('keeps no tag of its former part when a replacement adopts the record', () => {
    const held = live('policy/p', { targetKind: 'gvc', tags: { t: '1' } }, { owner: null, applied: null });
    const asPart = declare('policy/p', { tags: { u: '1' } }, { part: true });
    const on = carriedOut(plan([asPart], [held], { owner: 'p1' }), held);
    expect(Object.keys(objectAt(on.record, 'tags'))).toContain('gantry/applied.p1');
    const next = declare('policy/p', { targetKind: 'group' }, { adopt: true, replace: true });
    const change = changeOf(plan([next], [on], { owner: 'p1' }), 'policy/p');
    expect([change.action, change.refusals]).toEqual(['replace', []]);
    expect(Object.keys(objectAt(change.create?.expose() ?? {}, 'tags')).sort()).toEqual([
      'gantry/applied',
      'gantry/stack',
      't',
    ]);
  });
});

describe('an edited item without a key', () => {
  const policy = (...bindings: readonly string[]): JsonObject => ({
    targetKind: 'gvc',
    bindings: bindings.map((each) => ({ permissions: each.split('+'), principalLinks: ['//group/a'] })),
  });
  const held = live('policy/p', policy('view'), { owner: 'base' });
  const owner = declare('policy/p', policy('view'));
  const mine = declare('policy/p', policy('edit'), { part: true });
  const world = (on: LiveResource) => [on, foreign('group/a')];
  const permissions = ({ record }: LiveResource) =>
    listAt(record, 'bindings').map((each) => (isObject(each) ? listAt(each, 'permissions').join('+') : ''));

  test('is not removed by the owner, with a note on the possible stack, until the part is applied', () => {
    const on = carriedOut(plan([mine], world(held), { owner: 'p1' }), held);
    const changed = edited(on, (record) => ({ ...record, ...policy('view', 'edit+exec') }));
    const made = plan([owner], world(changed), { owner: 'base' });
    expect(actions(made)).toEqual([]);
    expect(changeOf(made, 'policy/p').notes).toEqual([
      expect.stringMatching(
        /^bindings\..* stays: it may be an edited item of p1, which is missing; apply that stack, and plan again$/,
      ),
    ]);
    const again = carriedOut(plan([mine], world(changed), { owner: 'p1' }), changed);
    expect(permissions(again)).toEqual(['view', 'edit+exec', 'edit']);
    const settled = carriedOut(plan([owner], world(again), { owner: 'base' }), again);
    expect(permissions(settled)).toEqual(['view', 'edit']);
  });
});

describe('a replacement', () => {
  const before = (of: JsonObject, stack = 'base') => live('policy/p', { targetKind: 'gvc', ...of }, { owner: stack });

  test('that sets another value than a part claims is refused, as a patch is', () => {
    const asPart = declare('policy/p', { tags: { t: '1' } }, { part: true });
    const held = before({});
    const on = carriedOut(plan([asPart], [held], { owner: 'p1' }), held);
    const change = (value: string) =>
      changeOf(
        plan([declare('policy/p', { targetKind: 'group', tags: { t: value } })], [on], { owner: 'base' }),
        'policy/p',
      );
    expect(change('2').refusals).toMatchObject([{ code: 'part.conflict' }]);
    expect(change('2')).toMatchObject({ action: 'refuse', intended: 'replace' });
    expect(change('1').refusals).toEqual([]);
  });
});

describe('a part with lifecycle.adopt', () => {
  test('adopts the declared fields of a port and leaves its other fields unchanged', () => {
    const route = (prefix: string): JsonObject => ({ prefix, workloadLink: '/org/o/gvc/g/workload/web' });
    const port = { number: 443, protocol: 'http', cors: { allowOrigins: [{ exact: '*' }] }, routes: [route('/')] };
    const held = live('domain/a.com', normalise('domain', { spec: { ports: [port] } }, { org }), { owner: 'base' });
    const one = { number: 443, routes: [route('/docs')] };
    const adopting = declare('domain/a.com', { spec: { ports: [one] } }, { part: true, adopt: true });
    const made = plan([adopting], [held, foreign('gvc/g'), foreign('workload/g/web')], { owner: 'p1' });
    expect(codes(made)).toEqual([]);
    expect(changeOf(made, 'domain/a.com').fields.map(({ path }) => path)).toEqual([
      'spec.ports.443.routes."/docs".prefix',
      'spec.ports.443.routes."/docs".workloadLink',
    ]);
  });
});

test('a tag that a part set stays in doubt under a new name, with a note, if the audit trail was not read', () => {
  const group = live('group/old', {}, { owner: 'base' });
  const set = carriedOut(planned('p1', [declare('group/old', { tags: { t: '1' } }, { part: true })], group, {}), group);
  const on = edited(set, (record) => ({ ...record, description: 'by hand' }));
  const moved = (past: Partial<Snapshot>, ignore: readonly string[] = []) =>
    plan([declare('group/new', {}, { previously: 'old', ignore })], snapshot([on], past), { owner: 'base' });
  const made = (of: Plan): unknown => objectAt(changeOf(of, 'group/new').create?.expose() ?? {}, 'tags')['t'];
  const [asked, told] = [moved({}), moved(trailOf(on))];
  expect(asked.inDoubt).toEqual([on.uid]);
  expect(changeOf(asked, 'group/new').notes.join()).toMatch(/tags\.t stays: somebody may have set it after p1 did, /);
  expect([made(asked), made(told)]).toEqual(['1', undefined]);
  expect(changeOf(moved({}, ['tags.t']), 'group/new').notes).toEqual(changeOf(asked, 'group/new').notes);
  expect(told.inDoubt).toBeUndefined();
});
