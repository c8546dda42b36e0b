import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const platform = usePlatform();
const cwd = temporaryFolder('reapply');

function run(args: readonly string[], input = '') {
  return inProcess(platform, args, { cwd, input });
}

const manifests = `
kind: gvc
name: shop
tags: {team: web}
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}, env: [{name: A, value: b}]}
---
{kind: identity, name: ident, gvc: shop}
---
{kind: volumeset, name: data, gvc: shop, spec: {initialCapacity: 10, fileSystemType: ext4, performanceClass: general-purpose-ssd}}
---
kind: workload
name: web
gvc: shop
spec:
  type: standard
  identityLink: //identity/ident
  containers: [{name: main, image: 'shop/web:1', ports: [{number: 8080, protocol: http}], env: [{name: X, value: '1'}]}]
  defaultOptions: {autoscaling: {minScale: 2}}
---
{kind: group, name: team, memberLinks: [//serviceaccount/bot]}
---
{kind: serviceaccount, name: bot}
---
{kind: policy, name: rights, targetKind: gvc, target: all, bindings: [{permissions: [view], principalLinks: [//group/team]}]}
---
{kind: ipset, name: ips, spec: {locations: [{name: //location/aws-us-west-2, retentionPolicy: free}]}}
---
{kind: auditctx, name: trail}
---
{kind: domain, name: example.com, spec: {ports: [{number: 443, protocol: http2, routes: [{prefix: /, workloadLink: //gvc/shop/workload/web}]}]}}
---
{kind: agent, name: agent-one}
---
{kind: cloudaccount, name: account, provider: aws, data: {roleArn: 'arn:aws:iam::123456789012:role/x'}}
`;

const kinds = [
  'gvc',
  'identity',
  'volumeset',
  'workload',
  'group',
  'serviceaccount',
  'policy',
  'ipset',
  'auditctx',
  'domain',
  'agent',
  'cloudaccount',
];

test('what get -o yaml-slim and json-slim print of every kind applies again, with an empty plan', async () => {
  const folder = join(cwd, 'stack');
  mkdirSync(folder);
  writeFileSync(join(folder, 'all.yaml'), manifests);
  await succeeded(run(['apply', folder, '--stack', 'again', '--yes']));
  const again = join(cwd, 'again');
  mkdirSync(again);
  for (const [index, kind] of kinds.entries()) {
    const format = index % 2 === 0 ? 'yaml-slim' : 'json-slim';
    const { stdout } = await succeeded(
      run(
        [kind, 'query', '--all-gvcs', '--tag', 'gantry/stack=again', '-o', format].filter(
          (word) => word !== '--all-gvcs' || ['identity', 'volumeset', 'workload'].includes(kind),
        ),
      ),
    );
    writeFileSync(join(again, `${kind}.${format === 'yaml-slim' ? 'yaml' : 'json'}`), stdout);
  }
  const { stdout } = await succeeded(run(['plan', again, '--stack', 'again', '--prune', '-o', 'json']));
  const plan: unknown = JSON.parse(stdout);
  expect(plan).toMatchObject({ summary: { create: 0, patch: 0, replace: 0, delete: 0 } });
});
