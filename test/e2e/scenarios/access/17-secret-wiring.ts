import type { Scenario } from '../../harness/scenario.ts';

const stack = `
kind: secret
name: license
type: opaque
data: {payload: license-text}
---
kind: secret
name: database
type: dictionary
data: {user: app, password: hunter2}
---
kind: gvc
name: wired
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}
---
kind: identity
gvc: wired
name: app
---
kind: policy
name: app-secrets
targetKind: secret
targetLinks: [//secret/license, //secret/database]
bindings: [{permissions: [reveal], principalLinks: [//gvc/wired/identity/app]}]
---
kind: workload
gvc: wired
name: app
spec:
  type: standard
  identityLink: //identity/app
  containers:
    - name: main
      image: registry.example.com/app:1
      env:
        - {name: LICENSE, value: "scheme://secret/license"}
        - {name: DB_PASSWORD, value: "scheme://secret/database.password"}
      volumes: [{uri: "scheme://secret/license", path: /etc/license}]
`;

const order = [
  'POST /org/local/gvc',
  'POST /org/local/gvc/wired/identity',
  'POST /org/local/policy',
  'POST /org/local/gvc/wired/workload',
];

export const scenario: Scenario = {
  number: 17,
  title: 'secret wiring',
  steps: [
    {
      it: 'creates the policy before the workload that reads the secrets through its identity',
      manifests: stack,
      actions: {
        'gvc/wired': 'create',
        'identity/wired/app': 'create',
        'policy/app-secrets': 'create',
        'secret/database': 'create',
        'secret/license': 'create',
        'workload/wired/app': 'create',
      },
      order,
      live: {
        '/org/local/gvc/wired/workload/app': {
          name: 'app',
          description: 'app',
          tags: {},
          spec: {
            type: 'standard',
            identityLink: '/org/local/gvc/wired/identity/app',
            containers: [
              {
                name: 'main',
                image: 'registry.example.com/app:1',
                cpu: '50m',
                memory: '128Mi',
                inheritEnv: false,
                env: [
                  { name: 'LICENSE', value: 'scheme://secret/license' },
                  { name: 'DB_PASSWORD', value: 'scheme://secret/database.password' },
                ],
                volumes: [{ uri: 'scheme://secret/license', path: '/etc/license' }],
              },
            ],
          },
        },
        '/org/local/policy/app-secrets': {
          name: 'app-secrets',
          description: 'app-secrets',
          tags: {},
          targetKind: 'secret',
          targetLinks: ['/org/local/secret/license', '/org/local/secret/database'],
          bindings: [{ permissions: ['reveal'], principalLinks: ['/org/local/gvc/wired/identity/app'] }],
        },
      },
    },
    {
      it: 'destroys in the reverse order: the workload releases the secrets first',
      actions: {},
      order: ['DELETE /org/local/gvc/wired', 'DELETE /org/local/secret/database'],
      live: {
        '/org/local/gvc/wired': null,
        '/org/local/gvc/wired/workload/app': null,
        '/org/local/secret/license': null,
        '/org/local/policy/app-secrets': null,
      },
    },
    {
      it: 'creates everything again in the same order',
      manifests: stack,
      actions: {
        'gvc/wired': 'create',
        'identity/wired/app': 'create',
        'policy/app-secrets': 'create',
        'secret/database': 'create',
        'secret/license': 'create',
        'workload/wired/app': 'create',
      },
      order,
    },
  ],
};
