import { expect, test } from 'vitest';
import { desiredGraph } from '../../../src/plan/order/desiredGraph.ts';
import { declare, org, workload } from '../world.ts';

const secret = declare('secret/t', { type: 'opaque', data: { payload: 'x' } });

test('the graph of manifests contains each reference once, with the undeclared targets', () => {
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
