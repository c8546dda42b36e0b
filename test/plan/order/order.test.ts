import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareText } from '../../../src/base/text/compareText.ts';
import { DependencyCycleError, graphProblems } from '../../../src/plan/order/orderChanges.ts';
import { runs } from '../../harness/sampled.ts';
import { declared, held, type PlanRow, testPlans } from '../planText.ts';
import { changeOf, declare, live, org, plan, snapshot } from '../world.ts';

const policies = [
  'policy/other lets(reveal,other,app)',
  'policy/viewing lets(view,s,app)',
  'policy/everything lets(reveal,*,app)',
].join('; ');

// biome-ignore format: a row is a case
const waits: readonly PlanRow[] = [
  ['a workload is created after its GVC, identity, secret, and the policy that lets it read',
    'workload/g/web identity(app) reads(s); policy/reveal lets(reveal,s,app); secret/s; identity/g/app; gvc/g', '',
    'create gvc/g; create identity/g/app; create secret/s; create policy/reveal; ' +
      'create workload/g/web after gvc/g, identity/g/app, ~policy/reveal, ~secret/s'],
  ['a policy for other secrets or without reveal adds no edge',
    `workload/g/web identity(app) reads(s); ${policies}`,
    'gvc/g; identity/g/app; secret/s foreign; secret/other foreign', '… create workload/g/web after ~policy/everything',
    { scope: 'partial' }],
  ['a required target is waited for even if it only changes: if it fails, the referrer is skipped',
    'secret/registry docker text(new); gvc/g pulls(registry)', 'secret/registry docker text(old); gvc/g',
    'patch secret/registry; patch gvc/g after secret/registry'],
  ['a kept policy does not wait for a deleted reader',
    'group/x; gvc/g; identity/g/app; secret/s; policy/reveal lets(reveal,s,app)',
    'group/x; gvc/g; identity/g/app; secret/s; policy/reveal lets(reveal,s,app); workload/g/web identity(app) reads(s)',
    '… delete workload/g/web; keep policy/reveal after nothing'],
  ['a released policy does not wait for a deleted reader', 'group/x; gvc/g; identity/g/app; secret/s',
    'group/x; gvc/g; identity/g/app; secret/s; policy/reveal lets(reveal,s,app) retained; ' +
      'workload/g/web identity(app) reads(s)', '… delete workload/g/web; forget policy/reveal after nothing'],
  ['a policy is deleted after the workload that reads through it, even if that is deleted with its GVC', 'group/x',
    'group/x; gvc/g; workload/g/web identity(app) reads(s); policy/reveal lets(reveal,s,app); secret/s',
    'delete gvc/g; delete workload/g/web; delete policy/reveal; delete secret/s'],
  ['nothing waits for a kept resource', 'gvc/g; identity/g/app', 'gvc/g', 'create identity/g/app after nothing'],
  ['lifecycle.dependsOn', 'secret/a dependsOn(secret/b); secret/b', '', '… create secret/a after secret/b'],
  ['lifecycle.wait makes the edge wait for readiness', 'workload/g/db wait; workload/g/web dependsOn(workload/g/db)',
    'gvc/g', '… create workload/g/web after workload/g/db ready', { scope: 'partial' }],
  ['a referrer waits until an unchanged workload is ready if it requires that, and not for a route',
    'workload/g/db wait; workload/g/web dependsOn(workload/g/db); domain/example.com routes(db)',
    'gvc/g; workload/g/db',
    '… keep workload/g/db; create workload/g/web after workload/g/db ready; create domain/example.com after nothing',
    { scope: 'partial' }],
  ['a new mount of a volume set waits for the unmount', 'gvc/g; volumeset/g/rows; workload/g/a mounts(rows)',
    'gvc/g; volumeset/g/rows; workload/g/z mounts(rows)', 'delete workload/g/z; create workload/g/a'],
  ['a new mount of another volume set does not', 'gvc/g; volumeset/g/logs; volumeset/g/rows; workload/g/a mounts(logs)',
    'gvc/g; volumeset/g/logs; volumeset/g/rows; workload/g/z mounts(rows)',
    '… create workload/g/a after nothing; delete workload/g/z after nothing'],
  ['of two reasons to wait, one that must hold and readiness decide',
    'gvc/g; secret/s; volumeset/g/rows; workload/g/a reads(s) dependsOn(secret/s,workload/g/z) mounts(rows); ' +
      'workload/g/z wait',
    'gvc/g; volumeset/g/rows; workload/g/z mounts(rows)',
    '… create workload/g/a after secret/s, workload/g/z ready'],
  ['the peers of a firewall may be missing: nothing waits for them, or for the loss of them',
    'gvc/g; workload/g/a; workload/g/b calls(c); workload/g/c', 'gvc/g; workload/g/a calls(z); workload/g/z',
    '… create workload/g/b after nothing; create workload/g/c after nothing; delete workload/g/z after nothing'],
  ['a resource that is handed over need not become ready',
    'gvc/g; workload/g/db wait handOver(other); workload/g/web dependsOn(workload/g/db)', 'gvc/g; workload/g/db',
    '… create workload/g/web after nothing'],
  ['a resource that is handed over does not wait for policies',
    'gvc/g; identity/g/app; secret/s; policy/p lets(reveal,s,app); ' +
      'workload/g/web identity(app) reads(s) handOver(other)',
    'gvc/g; identity/g/app; secret/s; workload/g/web identity(app) reads(s)',
    '… create policy/p; forget workload/g/web after nothing'],
  ['only a deletion waits for the loss of references', 'secret/registry docker text(new); gvc/g',
    'secret/registry docker text(old); gvc/g pulls(registry,gone); secret/gone docker',
    '… patch gvc/g; patch secret/registry after nothing; delete secret/gone after gvc/g'],
];

describe('a referrer waits for its new targets (platform/deletion.references)', () => {
  testPlans(waits);

  test('--wait waits for workloads, and for no record without readiness', () => {
    const made = plan(declared('gvc/g; workload/g/db'), [], { wait: true });
    expect(['workload/g/db', 'gvc/g'].map((id) => changeOf(made, id).wait)).toEqual([true, false]);
    const one = plan(declared('workload/g/db wait'), [live('gvc/g')], { scope: 'partial' });
    expect(changeOf(one, 'workload/g/db').wait).toBe(true);
  });
});

// biome-ignore format: a row is a case
const steps: readonly PlanRow[] = [
  ['an existing GVC is patched in one step if the identity exists', 'gvc/g keda(app); identity/g/app',
    'gvc/g keda; identity/g/app', 'patch gvc/g then-after nothing'],
  ['it waits for a new identity if nothing else changes', 'gvc/g keda(app); identity/g/app', 'gvc/g keda',
    'create identity/g/app; patch gvc/g then-after nothing'],
];

describe('two-step changes (platform/deletion.references)', () => {
  const then = { spec: { keda: { identityLink: '/org/o/gvc/g/identity/app' } } };

  testPlans(steps);

  test('a new GVC gets its identity in a second step', () => {
    const made = plan(declared('gvc/g keda(app); identity/g/app'), []);
    const change = changeOf(made, 'gvc/g');
    expect(JSON.stringify(change.create?.expose())).not.toContain('identity');
    expect(change.then?.expose()).toMatchObject(then);
    expect(Object.keys(change.then?.expose() ?? {})).not.toContain('version');
    expect(change.thenRequires).toMatchObject([{ on: 'identity/g/app', soft: false }]);
    expect(changeOf(made, 'identity/g/app').requires).toMatchObject([{ on: 'gvc/g' }]);
    expect(change.expectedThen?.expose()).toMatchObject(then);
  });

  test('it needs two steps if something else changes too', () => {
    const made = plan(declared('gvc/g keda(app) text(ours); identity/g/app'), held('gvc/g keda'));
    const { patch, then: second } = changeOf(made, 'gvc/g');
    expect(patch?.expose()).toMatchObject({ description: 'ours' });
    expect(JSON.stringify(patch?.expose())).not.toContain('identityLink');
    expect(second?.expose()).toMatchObject({ spec: { keda: expect.anything() } });
    expect(changeOf(made, 'identity/g/app').requires).toMatchObject([{ on: 'gvc/g' }]);
  });

  test('it needs one step if nothing else changes', () => {
    for (const there of ['gvc/g keda; identity/g/app', 'gvc/g keda'])
      expect(changeOf(plan(declared('gvc/g keda(app); identity/g/app'), held(there)), 'gvc/g').then).toBeUndefined();
  });
});

describe('cycles', () => {
  test('soft edges are cut: a GVC and an IP set that refer to each other', () => {
    const made = plan(declared('gvc/g ipSet(front); ipset/front link(gvc/g)'), []);
    expect(made.changes.map(({ action }) => action)).toEqual(['create', 'create']);
    expect(made.changes.flatMap(({ requires }) => requires)).toHaveLength(1);
  });

  test('a cycle that cannot be cut is reported with file and line of every link', () => {
    const desired = [
      declare('secret/a', {}, { dependsOn: ['secret/b'] }, 10),
      declare('secret/b', {}, { dependsOn: ['secret/a'] }, 20),
    ];
    const attempt = () => plan(desired, []);
    expect(attempt).toThrow(DependencyCycleError);
    expect(attempt).toThrow(
      /stack\.yaml:10:1 {2}secret\/a waits for secret\/b[\s\S]*stack\.yaml:20:1 {2}secret\/b waits for secret\/a/,
    );
  });

  test('so is one with a sub-domain, which waits for its apex without a field that says so', () => {
    const desired = [
      declare('domain/example.com', {}, { dependsOn: ['domain/a.example.com'] }, 10),
      declare('domain/a.example.com', { spec: { dnsMode: 'ns' } }, {}, 20),
    ];
    expect(() => plan(desired, [])).toThrow(
      'stack.yaml:20:1  domain/a.example.com waits for domain/example.com: it is a sub-domain of example.com',
    );
  });

  test('and one through a replacement', () => {
    const desired = declared(
      'gvc/g; workload/g/web type(standard) dependsOn(workload/g/db); workload/g/db dependsOn(workload/g/web)',
    );
    expect(() => plan(desired, held('gvc/g; workload/g/web'))).toThrow(DependencyCycleError);
  });
});

describe('cycles of declarations (plan.cycle)', () => {
  const problems = (text: string) =>
    graphProblems(declared(text), org).map(({ severity, path, resource, message }) => ({
      ...{ severity, path, resource },
      waits: message.slice(message.indexOf(': ') + 2).replace(/:\d+:1\)/g, ')'),
    }));
  const place = '(stack.yaml)';

  // biome-ignore format: a row is a case
  test.each([
    { it: 'names both links of a cycle',
      text: 'gvc/g; identity/g/app dependsOn(workload/g/web); workload/g/web identity(app)',
      found: [{ severity: 'error', path: 'lifecycle.dependsOn.0', resource: 'identity/g/app', waits:
        `identity/g/app waits for workload/g/web: lifecycle.dependsOn names it ${place}; ` +
        `workload/g/web waits for identity/g/app: spec.identityLink refers to it ${place}` }] },
    { it: 'names the GVC of a record that it waits for', text: 'gvc/g dependsOn(identity/g/app); identity/g/app',
      found: [{ severity: 'error', path: 'lifecycle.dependsOn.0', resource: 'gvc/g', waits:
        `gvc/g waits for identity/g/app: lifecycle.dependsOn names it ${place}; ` +
        `identity/g/app waits for gvc/g: it lives in that GVC ${place}` }] },
    { it: 'finds two cycles', text: 'group/a dependsOn(group/b); group/b dependsOn(group/a); ' +
        'group/c dependsOn(group/d); group/d dependsOn(group/c)',
      found: ['a b', 'c d'].map((pair) => pair.split(' ')).map(([one, two]) => ({
        severity: 'error', path: 'lifecycle.dependsOn.0', resource: `group/${one}`, waits:
          `group/${one} waits for group/${two}: lifecycle.dependsOn names it ${place}; ` +
          `group/${two} waits for group/${one}: lifecycle.dependsOn names it ${place}` })) },
    { it: 'finds none through undeclared records, or references that may be missing',
      text: 'gvc/g ipSet(front); ipset/front link(gvc/g); group/a dependsOn(group/x)', found: [] },
  ])('$it', ({ text, found }) => {
    expect(problems(text).toSorted((a, b) => compareText(a.resource ?? '', b.resource ?? ''))).toEqual(found);
  });

  test('a reference to an old name is an error, and a warning where the platform drops it', () => {
    const text =
      'group/new previously(old); group/x dependsOn(group/old); secret/b previously(a); policy/p targets(secret/a)';
    const found = graphProblems(declared(text), org).filter(({ rule }) => rule === 'reference.renamed');
    expect(found.map(({ severity, resource, message, hint }) => [severity, resource, message, hint])).toEqual([
      ['error', 'group/x', 'group/old is the old name of group/new', 'Write the new name, group/new.'],
      ['warning', 'policy/p', 'secret/a is the old name of secret/b', 'Write the new name, secret/b.'],
    ]);
  });
});

describe('plan(shuffled input) = plan(input), byte for byte (design, law 4)', () => {
  const desired = declared(
    'gvc/g keda(app); identity/g/app; policy/reveal lets(reveal,s,app); secret/s; volumeset/g/rows fast replace; ' +
      'workload/g/db image(db:2) mounts(rows); workload/g/web identity(app) reads(s); ipset/front link(gvc/g)',
  );
  const { resources } = held(
    'volumeset/g/rows; workload/g/db mounts(rows); gvc/g; gvc/old; workload/old/w mounts(v); volumeset/old/v; ' +
      'identity/old/x foreign; secret/gone; domain/example.com; domain/a.example.com foreign; domain/b.example.com foreign',
  );
  const records = [...resources.values()];
  const state = (order: typeof records) =>
    snapshot(order, {
      closures: new Map([['old', { known: true, children: order.filter(({ ref }) => ref.gvc === 'old') }]]),
    });

  test('for any order of resources and records', () => {
    const expected = JSON.stringify(plan(desired, state(records)));
    const shuffled = <T>(items: readonly T[]) =>
      fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });
    fc.assert(
      fc.property(shuffled(desired), shuffled(records), (manifests, order) => {
        expect(JSON.stringify(plan(manifests, state(order)))).toBe(expected);
      }),
      { numRuns: runs(200) },
    );
  });

  test('the first change waits for no later one', () => {
    const made = plan(desired, state(records));
    const place = new Map(made.changes.map(({ id }, index) => [id, index]));
    for (const { id, requires: edges, action } of made.changes) {
      if (action === 'replace') continue;
      for (const { on, step } of edges)
        if (step === undefined) expect(place.get(on), `${id} on ${on}`).toBeLessThan(place.get(id) ?? -1);
    }
  });
});
