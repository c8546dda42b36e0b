import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import type { Scenario } from '../../harness/scenario.ts';

const stack = (group: string, policies: string) => `
kind: serviceaccount
name: deployer
---
kind: gvc
name: guarded
---
kind: workload
gvc: guarded
name: api
spec: {type: standard, containers: [{name: main, image: "registry.example.com/api:1"}]}
---
kind: group
name: team
${group}
---
${policies}`;

const members = 'memberLinks: [//user/ann@example.com, //serviceaccount/deployer]';
const query = 'memberQuery: {kind: user, spec: {terms: [{tag: team, value: shop}]}}';

const policies = `kind: policy
name: all-secrets
targetKind: secret
target: all
bindings: [{permissions: [view], principalLinks: [//group/team]}]
---
kind: policy
name: some-secrets
targetKind: secret
targetLinks: [//secret/later]
targetQuery: {kind: secret, spec: {terms: [{tag: team, value: shop}]}}
bindings:
  - {permissions: [reveal, view], principalLinks: [//group/team]}
  - {permissions: [edit], principalLinks: [//serviceaccount/deployer]}
---
kind: policy
name: workloads
targetKind: workload
targetLinks: [//gvc/guarded/workload/api]
bindings: [{permissions: [edit], principalLinks: [//serviceaccount/deployer]}]
`;

const liveGroup = (fields: JsonObject): JsonObject => ({
  name: 'team',
  description: 'team',
  tags: {},
  memberLinks: ['/org/local/user/ann@example.com', '/org/local/serviceaccount/deployer'],
  ...fields,
});

export const scenario: Scenario = {
  number: 23,
  title: 'access control',
  serve: ['--user', 'ann@example.com', '--user', 'bob@example.com'],
  steps: [
    {
      it: 'creates a service account, a group with members, and three policies; a missing target is accepted (PO7)',
      manifests: stack(`${members}\n${query}`, policies),
      actions: {
        'group/team': 'create',
        'gvc/guarded': 'create',
        'policy/all-secrets': 'create',
        'policy/some-secrets': 'create',
        'policy/workloads': 'create',
        'serviceaccount/deployer': 'create',
        'workload/guarded/api': 'create',
      },
      order: ['POST /org/local/serviceaccount', 'POST /org/local/group'],
      live: {
        '/org/local/group/team': liveGroup({
          memberQuery: {
            kind: 'user',
            fetch: 'items',
            spec: { match: 'all', terms: [{ op: '=', tag: 'team', value: 'shop' }] },
          },
        }),
        '/org/local/policy/some-secrets': {
          name: 'some-secrets',
          description: 'some-secrets',
          tags: {},
          targetKind: 'secret',
          targetLinks: ['/org/local/secret/later'],
          targetQuery: {
            kind: 'secret',
            fetch: 'items',
            spec: { match: 'all', terms: [{ op: '=', tag: 'team', value: 'shop' }] },
          },
          bindings: [
            { permissions: ['reveal', 'view'], principalLinks: ['/org/local/group/team'] },
            { permissions: ['edit'], principalLinks: ['/org/local/serviceaccount/deployer'] },
          ],
        },
      },
    },
    {
      it: 'keys of the service account that are made outside of manifests are no change',
      before: async (platform) => {
        const first = await platform.call('POST', '/org/local/serviceaccount/deployer/-addKey', { description: 'ci' });
        const second = await platform.call('POST', '/org/local/serviceaccount/deployer/-addKey', {
          description: 'old',
        });
        expect([first.status, second.status]).toEqual([201, 201]);
        const removed = await platform.call('PATCH', '/org/local/serviceaccount/deployer', {
          '$drop/keys': [second.body['name'] ?? ''],
        });
        expect(removed.status).toBe(200);
      },
      manifests: stack(`${members}\n${query}`, policies),
      actions: {},
    },
    {
      it: 'members and permissions in another order are no change',
      manifests: stack(
        `memberLinks: [//serviceaccount/deployer, //user/ann@example.com]\n${query}`,
        policies.replace('[reveal, view]', '[view, reveal]'),
      ),
      actions: {},
    },
    {
      it: 'adds a member, and a matcher with its default language',
      manifests: stack(
        'memberLinks: [//user/ann@example.com, //serviceaccount/deployer, //user/bob@example.com]\nidentityMatcher: {expression: "groups"}',
        policies,
      ),
      actions: { 'group/team': 'patch' },
      patches: {
        'group/team': {
          $drop: ['memberQuery'],
          '$append/memberLinks': ['//user/bob@example.com'],
          identityMatcher: { expression: 'groups' },
        },
      },
      live: {
        '/org/local/group/team': {
          ...liveGroup({ identityMatcher: { expression: 'groups', language: 'jmespath' } }),
          memberLinks: [
            '/org/local/user/ann@example.com',
            '/org/local/serviceaccount/deployer',
            '/org/local/user/bob@example.com',
          ],
        },
      },
    },
    {
      it: 'changes the language of the matcher to javascript',
      manifests: stack(
        'memberLinks: [//user/ann@example.com, //serviceaccount/deployer, //user/bob@example.com]\nidentityMatcher: {expression: "groups", language: javascript}',
        policies,
      ),
      actions: { 'group/team': 'patch' },
      patches: { 'group/team': { identityMatcher: { language: 'javascript' } } },
    },
    {
      it: 'a member that does not exist (GR3)',
      manifests: '\nkind: group\nname: team\nmemberLinks: [//user/nobody@example.com]\n',
      flags: ['--max-deletes=20'],
      codes: ['reference.missing'],
    },
  ],
  negatives: [
    {
      it: 'target all beside links (PO1), a short identity link (PO3), an unknown permission (PO4)',
      manifests: `
kind: policy
name: bad
targetKind: secret
target: all
targetLinks: [//secret/x]
bindings: [{permissions: [fly], principalLinks: [//identity/x]}]
`,
      rules: ['PO1', 'PO3', 'PO4'],
    },
  ],
};
