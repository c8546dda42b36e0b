import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '../../../src/base/json/json.ts';
import { planSchema, planToJson } from '../../../src/change/documents/planDocument.ts';
import { isEmptyPlan, isRefused, type Plan } from '../../../src/plan/model/plan.ts';
import { desiredGraph } from '../../../src/plan/order/desiredGraph.ts';
import {
  closure,
  declare,
  foreign,
  live,
  org,
  plan,
  snapshot,
  volumeset,
  volumesetSpec,
  workload,
} from '../../plan/world.ts';

function withoutOwnTags(document: JsonObject): JsonObject {
  const { tags: _tags, ...rest } = document;
  const tags = Object.fromEntries(
    Object.entries(objectAt(document, 'tags')).filter(([key]) => !key.startsWith('gantry/')),
  );
  return Object.keys(tags).length === 0 ? rest : { ...rest, tags };
}

const keda = { spec: { keda: { enabled: true, identityLink: '//identity/app' } } };

// biome-ignore format: a row is a case
const plans = {
  create: plan([declare('gvc/g', keda), declare('identity/g/app')], []),
  patch: plan([declare('gvc/g', { description: 'ours', tags: { team: 'a' } })], [live('gvc/g')]),
  secret: plan([declare('secret/s', { type: 'opaque', data: { payload: 'new', encoding: 'plain' } })],
    [live('secret/s', { type: 'opaque', data: { payload: 'old', encoding: 'plain' } })]),
  refused: plan([declare('group/x')],
    snapshot([live('group/x'), live('gvc/g'), live('volumeset/g/v', volumeset(1))],
      { closures: closure('g', [live('volumeset/g/v', volumeset(1)), foreign('identity/g/stranger')]) })),
  replace: plan(
    [declare('gvc/g'), declare('workload/g/w', { ...workload('w:1'), spec: { type: 'standard', containers: [] } })],
    [live('gvc/g'), live('workload/g/w', workload('w:1'))]),
  victims: plan([declare('gvc/g')],
    snapshot([live('gvc/g', { spec: { env: [{ name: 'A', value: '1' }] } })],
      { closures: closure('g',
          [foreign('workload/g/theirs', { spec: { containers: [{ name: 'main', inheritEnv: true }] } })]) })),
  partial: plan(
    [declare('gvc/g'), declare('group/x'), declare('volumeset/g/v', volumesetSpec({ initialCapacity: 20 }))],
    [live('gvc/g'), live('volumeset/g/v', volumeset(2))],
    { targets: ['volumeset/g/v'], storagePrice: { storageGbMonth: 0.1, currency: 'EUR' } }),
  queriedLocation: plan([declare('gvc/g',
        { spec: { staticPlacement: { locationLinks: ['//location/a'], locationQuery: { kind: 'location' } } } }),
      declare('volumeset/g/v', volumesetSpec()), declare('workload/g/db', workload('db:1', ['v']))],
    [foreign('location/a')]),
  tooMany: plan([], [live('secret/a'), live('secret/b')], { maxDeletes: 1 }),
} as const;

describe('the plan as JSON', () => {
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(planSchema);

  test.each(Object.entries(plans))('a plan with a %s is valid against its schema', (_name, made) => {
    const valid = validate(planToJson(made));
    expect(validate.errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  test('contains the PATCH that tests whether versions are checked, if it is sent', () => {
    const asking = (made: Plan) => planToJson({ ...made, preconditions: 'unsaid' });
    expect(asking(plans.patch)['versionProbe']).toEqual({ id: 'gvc/g', patch: { id: 'uid-gvc/g', version: 2 } });
    expect(validate(asking(plans.patch))).toBe(true);
    expect(asking(plans.create)).not.toHaveProperty('versionProbe');
    expect(planToJson(plans.patch)).not.toHaveProperty('versionProbe');
  });

  test('contains a complete patch', () => {
    const [change] = planToJson(plans.patch)['changes'] as readonly [JsonObject];
    expect({ ...change, patch: withoutOwnTags(objectAt(change, 'patch')) }).toEqual({
      id: 'gvc/g',
      action: 'patch',
      kind: 'gvc',
      name: 'g',
      reason: 'changed in the code',
      cause: { code: true },
      fields: [
        { path: 'description', old: 'g', new: 'ours', risk: 'metadata' },
        { path: 'tags.team', new: 'a', risk: 'metadata' },
      ],
      patch: { id: 'uid-gvc/g', version: 1, description: 'ours', tags: { team: 'a' } },
      liveVersion: 1,
      requires: [],
      waitsFor: [],
      cascadesTo: [],
      wait: false,
      risk: 'metadata',
      refusals: [],
      notes: [],
    });
    expect(planToJson(plans.patch)).toMatchObject({
      formatVersion: 1,
      org,
      stack: 'shop',
      refused: false,
      risk: 'metadata',
      requests: { snapshot: 7, apply: 2 },
      summary: { create: 0, patch: 1, keep: 0 },
    });
  });

  test('contains the removals of an update, the affected children, the reserved storage, and the changes left out', () => {
    const [change] = planToJson(plans.victims)['changes'] as readonly [JsonObject];
    expect(change).toMatchObject({
      takes: [{ what: 'variable', name: 'A' }],
      victims: ['workload/g/theirs'],
      risk: 'rolling-restart',
    });
    expect(planToJson(plans.partial)).toMatchObject({
      risk: 'cost-up',
      storage: {
        before: { gb: 20, cost: 2 },
        after: { gb: 20, cost: 2 },
        ceiling: { gb: 20, cost: 2 },
        currency: 'EUR',
        sets: [{ id: 'volumeset/g/v', before: 20, after: 20, ceiling: 20, concerned: true }],
      },
      leftOut: [{ id: 'group/x', action: 'create' }],
    });
  });

  test('marks a sensitive value on both sides and in the body', () => {
    const [change] = planToJson(plans.secret)['changes'] as readonly [JsonObject];
    const hidden = { sensitive: true, changed: true };
    expect(change['fields']).toEqual([{ path: 'data', old: hidden, new: hidden, risk: 'rolling-restart' }]);
    expect(objectAt(change, 'patch')['data']).toEqual({ sensitive: true });
  });

  test('contains the intended action and the permit of a refused entry', () => {
    const changes = planToJson(plans.refused)['changes'] as readonly JsonObject[];
    expect(changes.find(({ id }) => id === 'gvc/g')).toMatchObject({
      action: 'refuse',
      intended: 'delete',
      cascadesTo: ['identity/g/stranger'],
      refusals: [{ code: 'delete.bystander', allow: '--allow-collateral=1' }],
    });
    expect(changes.find(({ id }) => id === 'volumeset/g/v')).toMatchObject({
      action: 'refuse',
      refusals: [{ code: 'delete.data', allow: '--allow-data-loss=1' }],
    });
  });

  test('with the declaration, contains the place of each change and of each new value', () => {
    const declared = [declare('gvc/g', { description: 'ours' }, {}, 7)];
    const document = planToJson(plan(declared, [live('gvc/g'), live('group/x')]), declared);
    const [other, change] = document['changes'] as readonly JsonObject[];
    const place = { file: 'stack.yaml', line: 7, column: 1 };
    expect(change).toMatchObject({ id: 'gvc/g', place, fields: [{ path: 'description', place }] });
    expect(other).not.toHaveProperty('place');
  });

  test('names each awaited change once, by id', () => {
    const mounting = [
      declare('gvc/g'),
      declare('volumeset/g/a', volumesetSpec()),
      declare('volumeset/g/b', volumesetSpec()),
    ];
    const changes = planToJson(plan([...mounting, declare('workload/g/w', workload('w:1', ['b', 'a', 'b']))], []));
    const [own] = (changes['changes'] as readonly JsonObject[]).filter(({ id }) => id === 'workload/g/w');
    expect(own?.['requires']).toEqual(['gvc/g', 'volumeset/g/a', 'volumeset/g/b']);
  });

  test('contains the body and the requirements of a second step', () => {
    const changes = planToJson(plans.create)['changes'] as readonly JsonObject[];
    expect(changes.find(({ id }) => id === 'gvc/g')).toMatchObject({ requires: [], thenRequires: ['identity/g/app'] });
    expect(changes.find(({ id }) => id === 'identity/g/app')).toMatchObject({ requires: ['gvc/g'] });
  });
});

describe('a plan as a whole', () => {
  // biome-ignore format: a row is a case
  test.each([
    { it: 'is empty without differences', made: plan([declare('gvc/g')], [live('gvc/g')]), empty: true,
      refused: false },
    { it: 'is not empty with a difference', made: plans.patch, empty: false, refused: false },
    { it: 'is refused because of a change', made: plans.refused, empty: false, refused: true },
    { it: 'is refused as a whole', made: plans.tooMany, empty: false, refused: true },
  ])('$it', ({ made, empty, refused }) => {
    expect(isEmptyPlan(made)).toBe(empty);
    expect(isRefused(made)).toBe(refused);
  });
});

describe('the number of requests (design, law 7)', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      { it: 'none without changes', made: plan([declare('gvc/g')], [live('gvc/g')]), apply: 0 },
      { it: 'one for each step, and one list for each kind of the plan to verify', made: plans.create, apply: 5 },
      { it: 'three for each deletion: read, DELETE, read again',
        made: plan([declare('group/x')], [live('group/x'), live('secret/a')]), apply: 5 },
      { it: 'three more lists for a GVC, and none for its cascade',
        made: plan([declare('group/x')],
          snapshot([live('group/x'), live('gvc/g'), live('identity/g/i')],
            { closures: closure('g', [live('identity/g/i')]) })), apply: 9 },
      { it: 'one that tests whether versions are checked, before the first PATCH, if that is unknown',
        made: plan([declare('gvc/g', { description: 'new' })], snapshot([live('gvc/g')], { preconditions: 'unsaid' })),
        apply: 3 },
      { it: 'none for an undeclared kept resource',
        made: plan([declare('gvc/g', { description: 'new' })], [live('gvc/g'), live('group/x')], { scope: 'partial' }),
        apply: 2 },
      { it: 'no test without a PATCH',
        made: plan([declare('group/x')], snapshot([live('group/x'), live('secret/a')], { preconditions: 'unsaid' })),
        apply: 5 },
    ],
  )('$it', ({ made, apply }) => {
    expect(made.requests).toEqual({ snapshot: 7, apply });
  });
});

describe('graphs', () => {
  test('of manifests contain all references, also to undeclared resources', () => {
    const graph = desiredGraph(
      [declare('gvc/g', { spec: { pullSecretLinks: ['//secret/r'] } }), declare('identity/g/app')],
      org,
    );
    expect(graph.nodes.map(({ id, external }) => [id, external === true])).toEqual([
      ['gvc/g', false],
      ['identity/g/app', false],
      ['secret/r', true],
    ]);
    expect(graph.links.map(({ from, to }) => `${from} -> ${to}`)).toEqual([
      'gvc/g -> secret/r',
      'identity/g/app -> gvc/g',
    ]);
  });
});
