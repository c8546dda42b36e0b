import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { withFormerClaims } from '../../../src/change/formerClaims.ts';
import { undoDeclarations } from '../../../src/change/makeUndo.ts';
import type { LiveResource } from '../../../src/manifest/live/snapshot.ts';
import type { DesiredResource, Lifecycle } from '../../../src/manifest/model/manifest.ts';
import { readApplied } from '../../../src/plan/record/ownership.ts';
import { carryOut, ModelPlatform } from '../../plan/model.ts';
import { changeOf, closure, declare, foreign, hash, holds, live, plan, snapshot, workload } from '../../plan/world.ts';
import { planned, readBack, textOf } from '../saved/saving.ts';

/** The declarations that undo a plan from `held` to `next`. */
function former(held: readonly LiveResource[], next: readonly DesiredResource[]): readonly DesiredResource[] {
  const state = snapshot(held, { closures: closure('g', []) });
  return undoDeclarations(readBack(textOf(planned(next, state, { adopt: true, allowEmpty: true }))), hash);
}

const gvc = (fields: JsonObject, lifecycle: Lifecycle = {}) => declare('gvc/g', fields, lifecycle);
const naming = (value: string): JsonObject => ({ spec: { endpointNamingFormat: value } });
const recorded = { applied: { servicePaths: ['spec.endpointNamingFormat'] } };
const container = (name: string, more: JsonObject = {}): JsonObject => ({
  spec: { type: 'standard', containers: [{ name, image: 'a', cpu: '50m', memory: '128Mi', ...more }] },
});
const probed = container('main', { livenessProbe: { tcpSocket: { port: 80 } } });

describe('a value that the platform chose is declared only if the plan changed it', () => {
  test.each<{ it: string; held: LiveResource; next: DesiredResource; spec: unknown }>(
    // biome-ignore format: a row is a case
    [
      { it: 'not an undeclared value', held: live('gvc/g', naming('org')), next: gvc({ description: 'new' }),
        spec: {} },
      { it: 'a value that the stack had set', held: live('gvc/g', naming('org'), recorded),
        next: gvc({ description: 'new', ...naming('org') }), spec: { endpointNamingFormat: 'org' } },
      { it: 'a value that the plan changed', held: live('gvc/g', naming('org')),
        next: gvc({ description: 'new', ...naming('legacy') }), spec: { endpointNamingFormat: 'org' } },
      { it: 'a nested value of a field that the plan removed', held: live('workload/g/web', probed),
        next: declare('workload/g/web', container('other')), spec: probed['spec'] },
    ],
  )('$it', ({ held, next, spec }) => {
    const [declared] = former([foreign('gvc/g'), held], [next]);
    expect(declared?.record['spec']).toEqual(spec);
  });
});

describe('tags', () => {
  const tags = { mine: '1', theirs: '1', 'scheme/made': 'x' };
  const tagged = live('gvc/g', { tags, description: 'old' }, { applied: { tagKeys: ['mine'] } });

  test.each<{ it: string; next: readonly DesiredResource[]; tags: JsonObject }>(
    // biome-ignore format: a row is a case
    [
      { it: 'those that the stack had set', next: [gvc({ tags: { mine: '1' }, description: 'new' })],
        tags: { mine: '1' } },
      { it: 'those that the plan changed, whoever had set them',
        next: [gvc({ tags: { mine: '2', theirs: '2' }, description: 'new' })], tags: { mine: '1', theirs: '1' } },
      { it: 'all tags of a deleted record, except those of the platform', next: [],
        tags: { mine: '1', theirs: '1' } },
    ],
  )('$it', ({ next, tags: expected }) => {
    expect(former([tagged], next)[0]?.record['tags']).toEqual(expected);
  });

  test('of a released record: those that the stack had set', () => {
    const retained = live(
      'group/a',
      { tags: { mine: '1', theirs: '1' } },
      { applied: { retain: true, tagKeys: ['mine'] } },
    );
    const [declared] = former([retained], []);
    expect(declared?.record['tags']).toEqual({ mine: '1' });
    expect(declared?.lifecycle).toEqual({ adopt: true, retain: true });
  });
});

describe('lifecycle', () => {
  const guarded = { tags: { 'scheme/protected': 'true' } };
  test.each<{ it: string; held: JsonObject; next: DesiredResource; lifecycle: Lifecycle }>(
    // biome-ignore format: a row is a case
    [
      { it: 'nothing', held: {}, next: gvc({ description: 'new' }), lifecycle: {} },
      { it: 'protected before', held: guarded, next: gvc({ description: 'new' }, { protect: false }),
        lifecycle: { protect: true } },
      { it: 'protected by the plan', held: {}, next: gvc({ description: 'new' }, { protect: true }),
        lifecycle: { protect: false } },
      { it: 'undescribed settings as they are declared now', held: {},
        next: gvc({ description: 'new' }, { untyped: ['spec.new'], sensitive: ['description'] }),
        lifecycle: { untyped: ['spec.new'], sensitive: ['description'] } },
    ],
  )('$it', ({ held, next, lifecycle }) => {
    const [declared] = former([live('gvc/g', { description: 'old', ...held })], [next]);
    expect(declared?.lifecycle).toEqual(lifecycle);
    expect(declared?.record['tags']).toEqual({});
  });

  test('a protected record that is deleted is created protected', () => {
    const [declared] = former([live('group/a', guarded)], []);
    expect(declared).toBeUndefined(); // Its deletion is refused.
    const [kept] = former([live('group/a', guarded, { applied: { retain: true } })], []);
    expect(kept?.lifecycle.protect).toBe(true);
  });

  test('a name is only restored within its GVC', () => {
    const web = live('workload/g/web', workload('a'));
    const next = [declare('workload/g/site', workload('a'), { previously: 'web' })];
    expect(former([live('gvc/g'), web], [gvc({}), ...next])[0]?.lifecycle).toEqual({
      previously: 'site',
      replace: true,
    });
  });

  test('no secret value is declared, as none is in the file', () => {
    const secret = (description: string) => ({ type: 'opaque', data: { payload: 'x' }, description });
    const [declared] = former([live('secret/a', secret('old'))], [declare('secret/a', secret('new'))]);
    expect(declared?.record).toMatchObject({ type: 'opaque', description: 'old' });
    expect(declared?.record).not.toHaveProperty('data');
  });
});

test('the former record of a part contains the items of the stack among those of others', () => {
  const link = '//gvc/g/workload/web';
  const route = (prefix: string) => ({ prefix, workloadLink: link });
  const part = (...prefixes: readonly string[]) =>
    declare('domain/example.com', { spec: { ports: [{ number: 443, routes: prefixes.map(route) }] } }, { part: true });
  const ports = [{ number: 443, protocol: 'http2', routes: [route('/theirs')] }];
  const platform = new ModelPlatform();
  platform.put([foreign('gvc/g'), foreign('workload/g/web', workload('a'))]);
  platform.put([foreign('domain/example.com', { spec: { ports }, tags: { 'gantry/stack': 'bank' } })]);
  carryOut(plan([part('/a')], platform.snapshot()), platform, () => 0);
  const next = planned([part('/b')], platform.snapshot());
  const [declared, ...others] = undoDeclarations(readBack(textOf(next)), hash);
  expect(others).toEqual([]);
  expect(declared?.lifecycle).toEqual({ part: true });
  const stored = { prefix: '/a', workloadLink: expect.stringContaining('gvc/g/workload/web') };
  expect(declared?.record).toMatchObject({
    spec: { ports: [{ number: 443, protocol: 'http2', routes: [expect.objectContaining(stored)] }] },
  });
});

describe('a record that is created again records the former claims of the stack, with the version of its own write', () => {
  const beforePlan = (kept: LiveResource | undefined) => ({
    ...{ stack: 'shop', org: made.org, hash },
    ...{ former: kept, now: undefined, undone: undefined },
  });
  const kept = live(
    'gvc/g',
    { tags: { mine: '1', theirs: '1', 'gantry/applied.bank': 'part' } },
    { version: 12, applied: { tagKeys: ['mine'], version: 12 } },
  );
  const keda = { spec: { keda: { enabled: true, identityLink: '//gvc/g/identity/app' } } };
  const made = plan([gvc({ tags: { mine: '1', theirs: '1' }, ...keda }), declare('identity/g/app')], []);
  const created = changeOf(made, 'gvc/g');
  const markOf = (body: { expose: () => JsonObject } | undefined) => {
    const tags = objectAt(body?.expose() ?? {}, 'tags');
    return readApplied(stringAt(tags, 'gantry/applied') ?? '');
  };

  test('in both of its steps, with the parts of others', () => {
    const { create, expected, then, expectedThen } = withFormerClaims(created, beforePlan(kept));
    expect(
      [create, expected, then, expectedThen].map((body) => [markOf(body)?.version, markOf(body)?.holds?.size]),
    ).toEqual([
      [1, 1],
      [1, 1],
      [2, 1],
      [2, 1],
    ]);
    const tagsOf = (body: typeof create) => Object.keys(objectAt(body?.expose() ?? {}, 'tags')).sort();
    const all = ['gantry/applied', 'gantry/applied.bank', 'gantry/stack', 'mine', 'theirs'];
    expect([create, expected, then, expectedThen].map(tagsOf)).toEqual([all, all, ['gantry/applied'], all]);
  });

  test('also in a patch: overwritten values are restored, and still do not belong to the stack', () => {
    const patched = changeOf(plan([gvc({ tags: { theirs: 'old' } })], [live('gvc/g')]), 'gvc/g');
    const { patch, expected } = withFormerClaims(patched, beforePlan(kept));
    expect([patch, expected].map((body) => [markOf(body)?.version, [...(markOf(body)?.holds?.keys() ?? [])]])).toEqual([
      [2, [...holds([['tags', 'mine']]).keys()]],
      [2, [...holds([['tags', 'mine']]).keys()]],
    ]);
  });

  test.each([
    { it: 'nothing was recorded', change: created, kept: foreign('gvc/g') },
    { it: 'nothing is known', change: created, kept: undefined },
    {
      it: 'it is not written whole',
      change: changeOf(plan([], [kept], { allowEmpty: true, allowUnseen: true }), 'gvc/g'),
      kept,
    },
  ])('if $it, it stays as planned', ({ change, kept }) => {
    expect(withFormerClaims(change, beforePlan(kept))).toBe(change);
  });
});
