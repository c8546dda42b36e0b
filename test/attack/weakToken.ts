import { type Attack, demand } from './attack.ts';
import { demandCleanFailure, gantry, makeFolder } from './cli.ts';
import { must, remote, startPlatform } from './platform.ts';

const files = {
  'gantry.yaml': 'stack: town\n',
  'gvc.yaml': 'kind: gvc\nname: town\nspec:\n  staticPlacement:\n    locationLinks: [//location/aws-eu-central-1]\n',
  'identity.yaml': 'kind: identity\nname: backend\ngvc: town\n',
  'web.yaml': `kind: workload
name: web
gvc: town
spec:
  type: standard
  identityLink: //gvc/town/identity/backend
  containers:
    - name: main
      image: registry.example.com/web:1
`,
  'key.yaml': 'kind: secret\nname: key\ntype: opaque\ndata: {payload: first-value}\n',
  'group.yaml': 'kind: group\nname: people\n',
};

/** A record that the token cannot view is neither absent nor created, and nothing is written. */
async function hiddenIsNotAbsent(): Promise<void> {
  const platform = await startPlatform();
  const folder = makeFolder(files);
  try {
    const applied = await gantry(remote(platform.url, 'apply', '.', '--yes'), { cwd: folder.path });
    demand(applied.code === 0, 'the first apply', applied);
    await must(platform, 'POST', '/org/local/serviceaccount', { name: 'bot' });
    const query = { spec: { terms: [{ rel: 'gvc', value: 'town' }] } };
    const bindings = [{ permissions: ['manage'], principalLinks: ['//serviceaccount/bot'] }];
    await must(platform, 'POST', '/org/local/policy', {
      name: 'bot',
      targetKind: 'workload',
      targetQuery: query,
      bindings,
    });
    const { key } = await must(platform, 'POST', '/org/local/serviceaccount/bot/-addKey', { description: 'x' });
    const weak = ['--org', 'local', '--endpoint', platform.url, '--token', String(key)];

    const plan = await gantry(['plan', '.', '-o', 'json', ...weak], { cwd: folder.path });
    const { changes = [] } = JSON.parse(plan.stdout);
    const creates = changes.filter(({ action }: { readonly action: string }) => action === 'create');
    demand(creates.length === 0, 'it would create what is there', creates);
    demandCleanFailure(await gantry(['apply', '.', '--yes', ...weak], { cwd: folder.path }));
    const again = await gantry(remote(platform.url, 'plan', '.', '--detailed-exitcode'), { cwd: folder.path });
    demand(again.code === 0, 'something was written', again);
  } finally {
    await platform.stop();
    folder.remove();
  }
}

export const weakToken: readonly Attack[] = [
  { name: 'a token that can view nothing except workloads', run: hiddenIsNotAbsent },
];
