import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { explainStudied, proofsOf, study } from '../../../src/change/explainChange.ts';
import { Body } from '../../../src/manifest/model/body.ts';
import { replacingTag } from '../../../src/plan/record/replacementMark.ts';
import {
  changeOf,
  closure,
  declare,
  foreign,
  live,
  options,
  org,
  owner,
  plan,
  snapshot,
  volumeset,
  volumesetSpec,
  workload,
} from '../../plan/world.ts';
import { explain } from './explaining.ts';

const gvc = declare('gvc/g', {}, {}, 1);
const at = (line: number) => ({ file: 'stack.yaml', line, column: 1 });

describe('the explanation of a whole resource', () => {
  test('of an update', () => {
    const desired = [declare('group/x', { description: 'new' }, {}, 7)];
    const whole = explain('group/x', { desired, from: [live('group/x', {}, { version: 3 })] });
    const { requests: _requests, fields: _fields, choices: _choices, proof: _proof, ...others } = whole;
    expect(others).toStrictEqual({
      ...{ org, stack: owner, resource: 'group/x', action: 'patch', reason: 'changed in the code', risk: 'metadata' },
      ...{ liveVersion: 3, owner: 'this stack', at: at(7), equal: [], waitsFor: [], takesAlong: [] },
      // name; description; id, kind and version; the two tags of the stack
      counts: { differs: 1, 'own-tag': 2, platform: 3, same: 1 },
      ...{ refusals: [], notes: [] },
    });
    expect(Object.keys(whole.counts)).toEqual(['differs', 'own-tag', 'platform', 'same']);
  });

  test('of a creation', () => {
    const { fields, ...others } = explain('group/x', { desired: [declare('group/x', {}, {}, 7)] });
    expect(fields).toContainEqual(expect.objectContaining({ path: 'name', declared: 'x', at: at(7) }));
    expect(others).toMatchObject({ action: 'create', requests: [{ method: 'POST', body: { name: 'x' } }] });
    for (const none of ['liveVersion', 'owner', 'proof', 'intended', 'hits', 'renamedFrom', 'via']) {
      expect(others).not.toHaveProperty(none);
    }
  });

  test('of a deletion', () => {
    const whole = explain('group/x', { desired: [gvc], from: [live('gvc/g'), live('group/x')] });
    expect(whole).toMatchObject({ action: 'delete', requests: [{ method: 'DELETE' }], choices: [] });
    expect(whole).not.toHaveProperty('at');
    expect(whole).not.toHaveProperty('proof');
  });

  test('of a kept resource: no risk, and equal fields without obvious reasons', () => {
    const whole = explain('gvc/g', { desired: [gvc], from: [live('gvc/g')] });
    expect(whole).not.toHaveProperty('risk');
    expect(whole.equal.map(({ path, why }) => [path, why])).toEqual([['description', 'derived']]);
  });

  test('of a replacement: the mark comes first', () => {
    const declared = volumesetSpec({ performanceClass: 'high-throughput-ssd' });
    const { requests } = explain('volumeset/g/data', {
      desired: [gvc, declare('volumeset/g/data', declared, { replace: true })],
      from: [live('gvc/g'), live('volumeset/g/data', volumeset(0))],
    });
    expect(requests.slice(0, 2)).toEqual([
      { method: 'PATCH', body: { tags: { [replacingTag]: owner } } },
      { method: 'DELETE' },
    ]);
  });

  test('of the update of a GVC that affects others', () => {
    const theirs = foreign('workload/g/theirs', { spec: { containers: [{ name: 'main', inheritEnv: true }] } });
    const from = snapshot([live('gvc/g', { spec: { env: [{ name: 'A', value: '1' }] } })], {
      closures: closure('g', [theirs]),
    });
    expect(explain('gvc/g', { desired: [gvc], from })).toMatchObject({ hits: ['workload/g/theirs'] });
  });

  test.each([
    ['without its applied record', { applied: null }, 'gantry/applied is missing'],
    ['that is a copy', { applied: { link: '/org/o/gvc/other' } }, 'a copy of another resource'],
    ['that lost its owner', { owner: null }, 'its owner tag was removed'],
  ])('of one %s: its owner', (_, of, words) => {
    expect(explain('gvc/g', { desired: [gvc], from: [live('gvc/g', {}, of)] }).owner).toContain(words);
  });
});

describe('values that a new record carries over', () => {
  const theirs = { tags: { team: 'x' } };
  const becauseOf = (from: string) => [{ path: 'tags.team', because: `carried over from ${from}`, before: 'x' }];

  test('from its old name, if lifecycle.ignore leaves the value to others', () => {
    const ignore = { previously: 'a', ignore: ['description'] };
    const whole = explain('identity/g/b', {
      desired: [gvc, declare('identity/g/b', { description: 'mine' }, ignore, 7)],
      from: [live('gvc/g'), live('identity/g/a', { description: 'theirs' })],
      path: 'description',
    });
    const because = 'carried over from identity/g/a, its old name';
    expect(whole).toMatchObject({
      renamedFrom: 'identity/g/a',
      fields: [{ path: 'description', because, declared: 'mine', at: at(7), before: 'theirs' }],
    });
  });

  test.each([
    ['b', 'the record that an unfinished replacement deleted'],
    ['a', 'identity/g/a, that an unfinished replacement deleted'],
  ])('from %s, which an unfinished replacement deleted', (name, words) => {
    const deleted = live(`identity/g/${name}`, theirs, { applied: { tagKeys: [] } });
    const whole = explain('identity/g/b', {
      desired: [gvc, declare('identity/g/b', {}, { previously: 'a' })],
      from: snapshot([live('gvc/g')], { unfinished: new Map([[deleted.id, deleted]]) }),
      path: 'tags.team',
    });
    expect(whole.fields).toMatchObject(becauseOf(words));
  });
});

describe('the smallest patch', () => {
  const main = (image: string): JsonObject => ({ spec: { ...Object(workload(image)['spec']), type: 'standard' } });
  const desired = [gvc, declare('workload/g/web', main('b'))];
  const state = snapshot([live('gvc/g'), live('workload/g/web', main('a'))]);
  const explainable = { plan: plan(desired, state), desired, snapshot: state, options };
  const id = 'workload/g/web';

  const notesWith = (patch: JsonObject): readonly string[] => {
    const changes = explainable.plan.changes.map((change) =>
      change.id === id && change.action === 'patch' ? { ...change, patch: new Body(patch, patch) } : change,
    );
    const other = { ...explainable, plan: { ...explainable.plan, changes } };
    return explainStudied(other, study(other, id), undefined).notes;
  };

  test('is noted if a larger one is used', () => {
    const sent = changeOf(explainable.plan, id).patch?.expose() ?? {};
    expect(notesWith(sent)).toEqual([]);
    expect(notesWith({ ...sent, spec: main('b')['spec'] ?? null })).toEqual([
      'a smaller patch failed its proof, so the next larger one was used',
    ]);
  });

  test('is counted in the proofs of a plan: those of its updates, by id', () => {
    const proofs = proofsOf(explainable);
    expect([...proofs.keys()]).toEqual([id]);
    expect(proofs.get(id)).toEqual(explainStudied(explainable, study(explainable, id), undefined).proof);
    const forgotten = [live('auditctx/a'), live('gvc/g')];
    const other = { plan: plan([gvc], forgotten), desired: [gvc], snapshot: snapshot(forgotten), options };
    expect([...proofsOf(other).keys()]).toEqual([]);
    expect(explain('auditctx/a', { desired: [gvc], from: forgotten })).not.toHaveProperty('proof');
  });

  test('a resource without a change cannot be explained', () => {
    expect(() => study(explainable, 'gvc/none')).toThrow('gvc/none is not in the plan');
  });
});

test('an operational switch that the plan reverts counts as a difference', () => {
  const held = { spec: { type: 'standard', containers: [], defaultOptions: { suspend: true } } };
  const desired = [gvc, declare('workload/g/web', { spec: { type: 'standard', containers: [] } })];
  const from = [live('gvc/g'), live('workload/g/web', held)];
  expect(explain('workload/g/web', { desired, from }).counts).toMatchObject({ operational: 1 });
  const reverted = explain('workload/g/web', { desired, from, options: { revertOperational: true } });
  expect(reverted.counts).toMatchObject({ differs: 1 });
  expect(reverted.counts).not.toHaveProperty('operational');
});

describe('a secret that cannot be revealed', () => {
  const from = snapshot([live('secret/s', { type: 'opaque' })], { unrevealed: new Set(['secret/s']) });

  test('has one unknown field if it is declared', () => {
    const desired = [declare('secret/s', { type: 'opaque', data: { payload: 'x' } }, {}, 9)];
    expect(explain('secret/s', { desired, from }).equal).toMatchObject([
      { path: 'description', why: 'derived' },
      { path: 'data', why: 'unrevealed', declared: { sensitive: true }, at: at(9) },
    ]);
  });

  test('has no unknown field if it is not declared', () => {
    const desired = [declare('secret/s', { type: 'opaque' }, { ignore: ['data'] })];
    expect(explain('secret/s', { desired, from }).equal.map(({ path }) => path)).toEqual(['description']);
  });
});

describe('suggestions for a name without a change', () => {
  const groups = (count: number) => Array.from({ length: count }, (_, index) => declare(`group/g${index}`));

  test('are all names if there are few, and none if there are many', () => {
    const hint = (count: number): unknown => {
      try {
        return explain('secret/none-like-it', { desired: groups(count) });
      } catch (error) {
        return Object(error).hint;
      }
    };
    expect(hint(12)).toContain('group/g11');
    expect(hint(13)).not.toContain('group/g11');
  });
});
