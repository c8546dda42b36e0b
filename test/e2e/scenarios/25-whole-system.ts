import { expect } from 'vitest';
import { objectAt } from '../../../src/base/json/json.ts';
import type { Scenario } from '../harness/scenario.ts';

interface StackOptions {
  readonly gvc?: string;
  readonly classOf?: string;
  readonly protect?: string;
  /** `lifecycle` of the GVC. */
  readonly renamed?: string;
}

const stack = (options: StackOptions = {}) => {
  const gvc = options.gvc ?? 'whole';
  return `
kind: auditctx
name: ledger
---
kind: secret
name: db-password
type: opaque
data: {payload: hunter2}
---
kind: ipset
name: entry
---
kind: gvc
name: ${gvc}
${options.renamed ?? ''}spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2, //location/aws-us-east-1]}}
---
kind: identity
gvc: ${gvc}
name: app
---
kind: policy
name: reveal-password
targetKind: secret
targetLinks: [//secret/db-password]
bindings: [{permissions: [reveal], principalLinks: [//gvc/${gvc}/identity/app]}]
---
kind: volumeset
gvc: ${gvc}
name: rows
${options.classOf === undefined ? '' : 'lifecycle: {replace: true}\n'}spec: {fileSystemType: ext4, performanceClass: ${options.classOf ?? 'general-purpose-ssd'}, initialCapacity: 200}
---
kind: volumeset
gvc: ${gvc}
name: files
spec: {fileSystemType: shared, initialCapacity: 10}
---
kind: workload
gvc: ${gvc}
name: web
${options.protect ?? ''}spec: {type: serverless, containers: [{name: main, image: "registry.example.com/web:1", ports: [{number: 8080}]}]}
---
kind: workload
gvc: ${gvc}
name: api
spec:
  type: standard
  identityLink: //identity/app
  containers:
    - name: main
      image: registry.example.com/api:1
      ports: [{number: 9000}]
      env: [{name: PASSWORD, value: "scheme://secret/db-password"}]
---
kind: workload
gvc: ${gvc}
name: store
spec:
  type: stateful
  containers:
    - name: main
      image: registry.example.com/db:1
      ports: [{number: 5432, protocol: tcp}]
      volumes: [{uri: "scheme://volumeset/rows", path: /rows}]
---
kind: workload
gvc: ${gvc}
name: nightly
spec:
  type: cron
  containers:
    - name: main
      image: registry.example.com/nightly:1
      volumes: [{uri: "scheme://volumeset/files", path: /files}]
  job: {schedule: "0 2 * * *"}
---
kind: domain
name: whole-shop.com
spec: {ports: [{routes: [{prefix: /, workloadLink: //gvc/${gvc}/workload/web}, {prefix: /api, workloadLink: //gvc/${gvc}/workload/api}]}]}
`;
};

const web = '/org/local/gvc/whole/workload/web';

export const scenario: Scenario = {
  number: 25,
  title: 'whole-system change set',
  steps: [
    {
      it: 'creates everything in one plan, in dependency order',
      manifests: stack(),
      flags: ['--wait'],
      actions: {
        'auditctx/ledger': 'create',
        'domain/whole-shop.com': 'create',
        'gvc/whole': 'create',
        'identity/whole/app': 'create',
        'ipset/entry': 'create',
        'policy/reveal-password': 'create',
        'secret/db-password': 'create',
        'volumeset/whole/files': 'create',
        'volumeset/whole/rows': 'create',
        'workload/whole/api': 'create',
        'workload/whole/store': 'create',
        'workload/whole/nightly': 'create',
        'workload/whole/web': 'create',
      },
      order: [
        'POST /org/local/gvc',
        'POST /org/local/gvc/whole/identity',
        'POST /org/local/policy',
        'POST /org/local/gvc/whole/workload',
        'POST /org/local/domain',
      ],
    },
    {
      it: 'tags added by another client are ignored',
      before: async (platform) => {
        await platform.call('PATCH', web, { tags: { 'other/release': '7' } });
      },
      manifests: stack(),
      actions: {},
    },
    {
      it: 'protects a workload with the tag that all clients honour',
      manifests: stack({ protect: 'lifecycle: {protect: true}\n' }),
      actions: { 'workload/whole/web': 'patch' },
      after: async (platform) => {
        const { body } = await platform.call('GET', web);
        expect(objectAt(body, 'tags')['scheme/protected']).toBe('true');
        expect((await platform.call('DELETE', web)).status).toBe(400);
      },
    },
    { it: 'a destroy while a workload is protected', flags: ['--allow-data-loss=2'], codes: ['delete.protected'] },
    {
      it: 'a manifest that no longer declares a protected workload',
      manifests: stack().replace(/kind: workload\ngvc: whole\nname: web\n.*\n---\n/, ''),
      codes: ['delete.protected'],
    },
    {
      it: 'a destroy that would delete a record that another client put into the GVC',
      before: async (platform) => {
        const made = await platform.call('POST', '/org/local/gvc/whole/identity', { name: 'bystander' });
        expect(made.status).toBe(201);
      },
      flags: ['--allow-data-loss=2'],
      codes: ['delete.bystander'],
    },
    {
      it: 'lifts the protection only with the flag for it',
      manifests: stack({ protect: 'lifecycle: {protect: false}\n' }),
      actions: { 'workload/whole/web': 'patch' },
      after: async (platform) => {
        const { body } = await platform.call('GET', web);
        expect(Object.keys(objectAt(body, 'tags'))).not.toContain('scheme/protected');
      },
    },
    {
      it: 'replaces a volume set of another class together with the workload that mounts it',
      manifests: stack({ classOf: 'high-throughput-ssd' }),
      flags: ['--allow-data-loss=1'],
      actions: { 'volumeset/whole/rows': 'replace', 'workload/whole/store': 'replace' },
      order: [
        'DELETE /org/local/gvc/whole/workload/store',
        'DELETE /org/local/gvc/whole/volumeset/rows',
        'POST /org/local/gvc/whole/volumeset',
        'POST /org/local/gvc/whole/workload',
      ],
    },
    {
      it: 'a rename of the GVC, which deletes its content with the old one',
      manifests: stack({ gvc: 'entire', classOf: 'high-throughput-ssd', renamed: 'lifecycle: {previously: whole}\n' }),
      codes: ['rename.gvc', 'delete.bystander', 'delete.data'],
    },
    {
      it: 'renames the GVC with the flag: the new one is complete and routes have moved before the old one is deleted',
      manifests: stack({
        gvc: 'entire',
        classOf: 'high-throughput-ssd',
        renamed: 'lifecycle: {previously: whole, replace: true}\n',
      }),
      flags: ['--allow-data-loss=2', '--allow-collateral=1'],
      actions: {
        'gvc/entire': 'create',
        'identity/entire/app': 'create',
        'volumeset/entire/files': 'create',
        'volumeset/entire/rows': 'create',
        'workload/entire/api': 'create',
        'workload/entire/nightly': 'create',
        'workload/entire/store': 'create',
        'workload/entire/web': 'create',
        'policy/reveal-password': 'patch',
        'domain/whole-shop.com': 'patch',
        'gvc/whole': 'delete',
        'identity/whole/app': 'delete',
        'volumeset/whole/files': 'delete',
        'volumeset/whole/rows': 'delete',
        'workload/whole/api': 'delete',
        'workload/whole/nightly': 'delete',
        'workload/whole/store': 'delete',
        'workload/whole/web': 'delete',
      },
      order: [
        'POST /org/local/gvc',
        'POST /org/local/gvc/entire/identity',
        'PATCH /org/local/policy/reveal-password',
        'POST /org/local/gvc/entire/workload',
        'PATCH /org/local/domain/whole-shop.com',
        'DELETE /org/local/gvc/whole/volumeset/rows',
        'DELETE /org/local/gvc/whole',
      ],
      live: { '/org/local/gvc/whole': null, [web]: null },
    },
    {
      it: 'destroys everything except the audit context, which is no longer owned',
      flags: ['--allow-data-loss=2'],
      actions: {},
      order: [
        'DELETE /org/local/gvc/entire/volumeset/rows',
        'DELETE /org/local/gvc/entire',
        'DELETE /org/local/secret/db-password',
      ],
      live: {
        '/org/local/gvc/entire': null,
        '/org/local/domain/whole-shop.com': null,
        '/org/local/auditctx/ledger': { name: 'ledger', description: 'ledger', tags: {} },
      },
    },
  ],
};
