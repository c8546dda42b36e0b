import { expect, test } from 'vitest';
import { desiredGraph, planGraph } from '../../../src/plan/order/planGraph.ts';
import { declare, live, org, plan, volumeset, volumesetSpec, workload } from '../world.ts';

const secret = declare('secret/t', { type: 'opaque', data: { payload: 'x' } });

test('the graph of manifests says who refers to what, each once, with what is not declared beside it', () => {
  const gvc = declare('gvc/g', { spec: { pullSecretLinks: ['//secret/pull'] } });
  const web = declare('workload/g/web', workload('web:1', ['rows']), { dependsOn: ['secret/t', 'secret/t'] });
  const policy = declare('policy/p', { targetKind: 'secret', targetLinks: ['//secret/t'], bindings: [] });
  const { nodes, links } = desiredGraph([web, secret, policy, gvc], org);
  expect(nodes).toEqual([
    { id: 'gvc/g', kind: 'gvc' },
    { id: 'policy/p', kind: 'policy' },
    { id: 'secret/pull', kind: 'secret', external: true },
    { id: 'secret/t', kind: 'secret' },
    { id: 'volumeset/g/rows', kind: 'volumeset', external: true },
    { id: 'workload/g/web', kind: 'workload' },
  ]);
  expect(links.map(({ from, to, soft }) => [from, to, soft])).toEqual([
    ['gvc/g', 'secret/pull', false],
    ['policy/p', 'secret/t', true],
    ['workload/g/web', 'gvc/g', false],
    ['workload/g/web', 'secret/t', false],
    ['workload/g/web', 'volumeset/g/rows', false],
  ]);
  expect(links.find(({ to }) => to === 'secret/pull')?.because).toBe('spec.pullSecretLinks.0');
});

test('the graph of a plan says what each step of a change waits for', () => {
  const keda = { spec: { keda: { enabled: true, identityLink: '//identity/app' } } };
  const fast = { performanceClass: 'high-throughput-ssd', initialCapacity: 200 };
  const made = plan(
    [
      declare('gvc/g', { ...keda, description: 'ours' }),
      declare('identity/g/app'),
      declare('volumeset/g/rows', volumesetSpec(fast), { replace: true }),
      declare('workload/g/db', workload('db:1', ['rows'])),
    ],
    [live('gvc/g'), live('volumeset/g/rows', volumeset(0)), live('workload/g/db', workload('db:1', ['rows']))],
  );
  const { nodes, links } = planGraph(made);
  expect(nodes.map(({ id, action }) => [id, action])).toEqual([
    ['gvc/g', 'patch'],
    ['identity/g/app', 'create'],
    ['volumeset/g/rows', 'replace'],
    ['workload/g/db', 'replace'],
  ]);
  const pairs = links.map(({ from, to }) => `${from} -> ${to}`);
  // A second step, the deletion of a replacement, and its creation.
  expect(pairs).toContain('gvc/g -> identity/g/app');
  expect(pairs).toContain('volumeset/g/rows -> workload/g/db');
  expect(pairs).toContain('workload/g/db -> volumeset/g/rows');
});
