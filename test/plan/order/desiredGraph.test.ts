import { expect, test } from 'vitest';
import { liveReferences } from '../../../src/manifest/live/liveReference.ts';
import { desiredGraph } from '../../../src/plan/order/desiredGraph.ts';
import { declare, org, workload } from '../world.ts';

const secret = declare('secret/t', { type: 'opaque', data: { payload: 'x' } });

test('the graph of manifests contains each reference once, with the undeclared targets', () => {
  const gvc = declare('gvc/g', { spec: { pullSecretLinks: ['//secret/pull'] } });
  const web = declare('workload/g/web', workload('web:1', ['rows']), { dependsOn: ['secret/t'] });
  const policy = declare('policy/p', { targetKind: 'secret', targetLinks: ['//secret/t'], bindings: [] });
  const text = '$' + '{live.gvc/g:alias} and $' + '{live.gvc/g:alias}';
  const group = { ...declare('group/a', { description: text }), reads: liveReferences(text) };
  const { nodes, links } = desiredGraph([web, secret, policy, gvc, group], org);
  expect(nodes).toEqual([
    { id: 'group/a', kind: 'group' },
    { id: 'gvc/g', kind: 'gvc' },
    { id: 'policy/p', kind: 'policy' },
    { id: 'secret/pull', kind: 'secret', external: true },
    { id: 'secret/t', kind: 'secret' },
    { id: 'volumeset/g/rows', kind: 'volumeset', external: true },
    { id: 'workload/g/web', kind: 'workload' },
  ]);
  expect(links.map(({ from, to, soft }) => [from, to, soft])).toEqual([
    ['group/a', 'gvc/g', false],
    ['gvc/g', 'secret/pull', false],
    ['policy/p', 'secret/t', true],
    ['workload/g/web', 'gvc/g', false],
    ['workload/g/web', 'secret/t', false],
    ['workload/g/web', 'volumeset/g/rows', false],
  ]);
  expect(links.find(({ to }) => to === 'secret/pull')?.because).toBe('spec.pullSecretLinks.0');
  expect(links.find(({ from, to }) => from === 'workload/g/web' && to === 'secret/t')?.because).toBe(
    'lifecycle.dependsOn.0',
  );
});
