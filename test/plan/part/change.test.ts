import { describe, expect, test } from 'vitest';
import { type JsonObject, listAt, objectAt } from '../../../src/base/json/json.ts';
import type { Lifecycle } from '../../../src/manifest/model/manifest.ts';
import { actions, changeOf, codes, declare, foreign, live, partTag, plan, snapshot } from '../world.ts';
import {
  carriedOut,
  docs,
  domainSpec,
  id,
  ownedDomain,
  part,
  planFor,
  route,
  routesOnly,
  run,
  targets,
  withDocs,
} from './domainParts.ts';

const tag = 'gantry/applied.docs';
const before = ownedDomain(route('/'));
const adopt: Lifecycle = { ...part, adopt: true };

describe('a part is refused', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'if its resource cannot be viewed', state: snapshot(targets, { hidden: new Map([[id, 'view']]) }),
        owner: 'docs', code: 'read.hidden' },
      { it: 'if a tag cannot contain the name of the stack', state: snapshot([before, ...targets]),
        owner: 's'.repeat(114), code: 'part.owner-too-long' },
      { it: 'if the stack owns the whole resource',
        state: snapshot([before, ...targets]), owner: 'base', code: 'part.owned' },
      { it: 'if the stack may own the whole: its record was removed',
        state: snapshot([live(id, domainSpec(route('/')), { owner: 'docs', applied: null }), ...targets]),
        owner: 'docs', code: 'part.owned' },
    ],
  )('$it', ({ state, owner, code }) => {
    const made = plan([withDocs], state, { owner });
    expect(codes(made)).toEqual([code]);
    expect(changeOf(made, id)).toMatchObject({ action: 'refuse', intended: 'patch', part: true });
  });

  test('but not because of a copy with the owner tag of the stack, which owns nothing', () => {
    const copy = live(id, domainSpec(route('/')), { owner: 'docs', applied: { link: '/org/o/domain/other.com' } });
    const made = plan([withDocs], snapshot([copy, ...targets]), { owner: 'docs' });
    expect(codes(made)).toEqual([]);
    expect(actions(made)).toEqual([`patch ${id}`]);
  });
});

describe('the PATCH of a part', () => {
  test('is pinned to the live version, and its response is the record with the tag', () => {
    const change = changeOf(planFor('docs', [withDocs], before), id);
    const patch = change.patch?.expose() ?? {};
    expect(patch).toMatchObject({ id: before.uid, version: before.version });
    const expected = change.expected?.expose() ?? {};
    expect(objectAt(expected, 'tags')).toEqual({ ...objectAt(before.record, 'tags'), ...objectAt(patch, 'tags') });
    expect(expected['spec']).toEqual(carriedOut(planFor('docs', [withDocs], before), before).record['spec']);
    expect(change).toMatchObject({ part: true, liveVersion: 1, reason: "this stack's part: changed in the code" });
  });

  test('removes the tag with the last item', () => {
    const on = run('docs', [withDocs], before);
    const change = changeOf(planFor('docs', [declare(id, routesOnly(), part)], on), id);
    expect(objectAt(change.patch?.expose() ?? {}, 'tags')).toEqual({ $drop: [tag] });
    expect(Object.keys(objectAt(change.expected?.expose() ?? {}, 'tags')).sort()).toEqual([
      'gantry/applied',
      'gantry/stack',
    ]);
  });

  test('removes only the tag if others removed the items', () => {
    const on = run('docs', [withDocs], before);
    const taken = { ...on, record: { ...on.record, spec: objectAt(before.record, 'spec') } };
    const change = changeOf(planFor('docs', [], taken, { allowEmpty: true }), id);
    expect(change).toMatchObject({ action: 'patch', part: true, fields: [] });
    const { tags, spec } = change.patch?.expose() ?? {};
    expect([tags, spec]).toEqual([{ $drop: [tag] }, undefined]);
  });

  test('restores an item that others removed, and writes its tag again with the new version', () => {
    const on = run('docs', [withDocs], before);
    const taken = { ...on, version: 9, record: { ...on.record, version: 9, spec: objectAt(before.record, 'spec') } };
    const patch = changeOf(planFor('docs', [withDocs], taken), id).patch?.expose() ?? {};
    expect(objectAt(patch, 'tags')[tag]).toMatch(/;v10;i[\w-]{6}$/);
  });

  test.each<[string, Lifecycle, boolean]>([
    ['with lifecycle.adopt', adopt, false],
    ['with --adopt', part, true],
  ])('adopts existing items %s: once, and only the tag is written', (_, lifecycle, asked) => {
    const same = declare(id, routesOnly(route('/')), lifecycle);
    const made = planFor('docs', [same], before, { adopt: asked });
    const change = changeOf(made, id);
    expect(change).toMatchObject({ action: 'adopt', part: true, fields: [], notes: [] });
    expect(Object.keys(change.patch?.expose() ?? {}).sort()).toEqual(['id', 'tags', 'version']);
    expect(actions(planFor('docs', [same], carriedOut(made, before), { adopt: asked }))).toEqual([]);
  });

  test('adopts one item beside its own', () => {
    const on = run('docs', [withDocs], before);
    const both = declare(id, routesOnly(route('/docs', docs), route('/')), adopt);
    expect(changeOf(planFor('docs', [both], on), id)).toMatchObject({ action: 'adopt', fields: [] });
  });

  test('is not needed if the items are as declared', () => {
    const on = run('docs', [withDocs], before);
    expect(changeOf(planFor('docs', [withDocs], on), id)).toMatchObject({ action: 'keep', part: true });
  });

  test('contains an adopted item that changes', () => {
    const other = declare(id, routesOnly(route('/', docs)), adopt);
    expect(changeOf(planFor('docs', [other], before), id)).toMatchObject({
      action: 'patch',
      fields: [{ path: 'spec.ports.443.routes."/".workloadLink' }],
    });
  });
});

describe('tags of a part', () => {
  const group = (tags: JsonObject) => live('group/team', { tags }, { owner: 'base' });
  const wanting = (tags: JsonObject, lifecycle: Lifecycle = part) => [declare('group/team', { tags }, lifecycle)];
  const planned = (tags: JsonObject, held: JsonObject, lifecycle?: Lifecycle) =>
    plan(wanting(tags, lifecycle), [group(held)], { owner: 'docs' });

  test.each<[string, JsonObject, JsonObject, readonly string[], readonly string[]]>(
    // biome-ignore format: a row is a case
    [
      ['are added', { cost: '1' }, {}, ['patch group/team'], []],
      ['are compared as text, and claimed without a change', { cost: 7 }, { cost: '7' }, ['adopt group/team'], []],
      ['with another value belong to others', { cost: 8 }, { cost: '7' }, ['refuse group/team'],
        ['part.conflict']],
    ],
  )('%s', (_, tags, held, done, refused) => {
    const made = planned(tags, held);
    expect(actions(made)).toEqual(done);
    expect(codes(made)).toEqual(refused);
  });

  test('only changed ones are written: its own, and those that it drops', () => {
    const first = carriedOut(planned({ a: '1', b: '2' }, { theirs: 'x' }), group({ theirs: 'x' }));
    const second = plan(wanting({ b: '3', c: '4' }), [first], { owner: 'docs' });
    const { [tag]: mark, ...sent } = objectAt(changeOf(second, 'group/team').patch?.expose() ?? {}, 'tags');
    expect(sent).toEqual({ b: '3', c: '4', $drop: ['a'] });
    expect(mark).toMatch(/;i[\w-]{12}$/);
    const others = plan(wanting({ theirs: 'x' }, { part: true, adopt: true }), [first], { owner: 'help' });
    expect(changeOf(others, 'group/team').action).toBe('adopt');
  });

  test('an owner that declares another value than a part is refused, and one with the same value is not', () => {
    const on = carriedOut(planned({ cost: '1' }, {}), group({}));
    const declaring = (value: string) =>
      codes(plan([declare('group/team', { tags: { cost: value } })], [on], { owner: 'base' }));
    expect(declaring('2')).toEqual(['part.conflict']);
    expect(declaring('1')).toEqual([]);
    const beside = { ...on, record: { ...on.record, tags: { ...objectAt(on.record, 'tags'), own: 'old' } } };
    const changed = plan([declare('group/team', { tags: { own: 'new' } })], [beside], { owner: 'base' });
    expect(codes(changed)).toEqual([]);
    expect(objectAt(changeOf(changed, 'group/team').patch?.expose() ?? {}, 'tags')['own']).toBe('new');
  });
});

describe('the fields that a part shows', () => {
  const policy = (...permissions: readonly string[]) => ({
    targetKind: 'gvc',
    bindings: permissions.map((each) => ({ permissions: [each], principalLinks: ['//group/a'] })),
  });
  const held = live('policy/p', policy('view'), { owner: 'base' });

  test('an item of a list without keys as a whole, added or removed', () => {
    const declared = declare('policy/p', policy('edit'), part);
    const made = plan([declared], [held, foreign('group/a')], { owner: 'docs' });
    const [field] = changeOf(made, 'policy/p').fields;
    expect(changeOf(made, 'policy/p').fields).toHaveLength(1);
    expect(field).toMatchObject({ new: { permissions: ['edit'], principalLinks: ['//group/a'] } });
    expect(field).not.toHaveProperty('old');
    expect(field?.path).toMatch(/^bindings\./);

    const on = carriedOut(made, held);
    const gone = plan([], [on, foreign('group/a')], { owner: 'docs', allowEmpty: true });
    const [dropped] = changeOf(gone, 'policy/p').fields;
    expect(dropped).toMatchObject({ path: field?.path, old: { permissions: ['edit'] } });
    expect(dropped).not.toHaveProperty('new');
    expect(listAt(carriedOut(gone, on).record, 'bindings')).toHaveLength(1);
  });

  const hidden = { sensitive: true, changed: true };
  test.each(
    // biome-ignore format: a row is a case
    [
    { it: 'each member of a nested set by itself', marks: [],
      field: { path: 'spec.pullSecretLinks."/org/o/secret/b"', new: '//secret/b' } },
    { it: 'no member of a marked set', marks: ['spec.pullSecretLinks'],
      field: { path: 'spec.pullSecretLinks', old: hidden, new: hidden } },
    ],
  )('$it', ({ marks, field }) => {
    const made = plan(
      [declare('gvc/g', { spec: { pullSecretLinks: ['//secret/b'] } }, { ...part, sensitive: marks })],
      [live('gvc/g', { spec: { pullSecretLinks: ['/org/o/secret/a'] } }, { owner: 'base' }), foreign('secret/b')],
      { owner: 'docs' },
    );
    expect(changeOf(made, 'gvc/g').fields).toMatchObject([field]);
  });

  test('identifying fields are repeated without a note, and refused with another value', () => {
    const repeated = (targetKind: string) =>
      plan([declare('policy/p', { ...policy('edit'), targetKind }, part)], [held, foreign('group/a')], {
        owner: 'docs',
      });
    expect(changeOf(repeated('gvc'), 'policy/p')).toMatchObject({ action: 'patch', notes: [] });
    expect(codes(repeated('secret'))).toEqual(['part.conflict']);
  });
});

describe('deleting a resource with parts of others', () => {
  const withTag = (owner: string, items: readonly string[]) =>
    partTag(
      owner,
      before.ref,
      items.map((each) => ['tags', each]),
    );
  const held = (...tags: readonly JsonObject[]) => ({
    ...before,
    record: { ...before.record, tags: { ...objectAt(before.record, 'tags'), ...Object.assign({}, ...tags) } },
  });

  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'counts each stack once', tags: [withTag('docs', ['aaaaaa', 'bbbbbb']), withTag('help', ['cccccc'])],
        refused: 'it would also delete parts that belong to docs, help', allow: 2 },
      { it: 'does not count a stack whose part is empty',
        tags: [withTag('docs', []), withTag('help', ['cccccc'])],
        refused: 'it would also delete parts that belong to help', allow: 1 },
    ],
  )('$it', ({ tags, refused, allow }) => {
    const gone = (allowCollateral: number) => planFor('base', [], held(...tags), { allowEmpty: true, allowCollateral });
    expect(changeOf(gone(0), id).refusals).toMatchObject([
      { code: 'delete.part', message: refused, allow: `--allow-collateral=${allow}` },
    ]);
    expect(codes(gone(allow))).toEqual([]);
    expect(codes(gone(allow + 1))).toEqual(['delete.part']);
  });
});

test('a record without a part of this stack is not in its plan', () => {
  expect(plan([], [foreign('group/team')], { owner: 'docs', scope: 'partial' }).changes).toEqual([]);
});

test('a part that a partial input does not declare is kept, with a note', () => {
  const on = run('docs', [withDocs], before);
  expect(changeOf(planFor('docs', [], on, { scope: 'partial' }), id)).toMatchObject({
    action: 'keep',
    part: true,
    notes: ['a part of it is not declared here'],
  });
});
