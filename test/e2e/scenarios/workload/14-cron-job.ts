import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import type { Platform } from '../../harness/platform.ts';
import { at, type Scenario } from '../../harness/scenario.ts';

const stack = (policy: string) => `
kind: gvc
name: jobs
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}
---
kind: secret
name: report
type: dictionary
data: {user: reporter, token: abc}
---
kind: identity
gvc: jobs
name: reporter
---
kind: policy
name: read-report
targetKind: secret
targetLinks: [//secret/report]
bindings: [{permissions: [reveal], principalLinks: [//gvc/jobs/identity/reporter]}]
---
kind: workload
gvc: jobs
name: nightly
spec:
  type: cron
  identityLink: //identity/reporter
  containers:
    - name: main
      image: registry.example.com/report:1
      env:
        - {name: REPORT_USER, value: "scheme://secret/report.user"}
        - {name: REPORT_TOKEN, value: "scheme://secret/report.token"}
  defaultOptions: {suspend: true}
  job:
    schedule: "* * * * *"
    concurrencyPolicy: ${policy}
    historyLimit: 10
    restartPolicy: OnFailure
    activeDeadlineSeconds: 300
`;

const live = (concurrencyPolicy: string): JsonObject => ({
  name: 'nightly',
  description: 'nightly',
  tags: {},
  spec: {
    type: 'cron',
    identityLink: '/org/local/gvc/jobs/identity/reporter',
    containers: [
      {
        name: 'main',
        image: 'registry.example.com/report:1',
        cpu: '50m',
        memory: '128Mi',
        inheritEnv: false,
        env: [
          { name: 'REPORT_USER', value: 'scheme://secret/report.user' },
          { name: 'REPORT_TOKEN', value: 'scheme://secret/report.token' },
        ],
      },
    ],
    defaultOptions: { suspend: true },
    job: {
      schedule: '* * * * *',
      concurrencyPolicy,
      historyLimit: 10,
      restartPolicy: 'OnFailure',
      activeDeadlineSeconds: 300,
    },
  },
});

const path = '/org/local/gvc/jobs/workload/nightly';

/** Polls like the public client (platform/commands), but faster. */
async function untilEnded(platform: Platform, id: string): Promise<JsonObject> {
  for (;;) {
    const { body } = await platform.call('GET', `${path}/-command/${id}`);
    if (['completed', 'failed', 'cancelled'].includes(String(body['lifecycleStage']))) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const scenario: Scenario = {
  number: 14,
  title: 'cron job',
  steps: [
    {
      it: 'is created after the policy that lets its identity read its secret',
      manifests: stack('Allow'),
      actions: {
        'gvc/jobs': 'create',
        'identity/jobs/reporter': 'create',
        'policy/read-report': 'create',
        'secret/report': 'create',
        'workload/jobs/nightly': 'create',
      },
      order: [
        'POST /org/local/gvc',
        'POST /org/local/gvc/jobs/identity',
        'POST /org/local/policy',
        'POST /org/local/gvc/jobs/workload',
      ],
      live: { [path]: live('Allow') },
    },
    {
      it: 'changes only the concurrency policy',
      manifests: stack('Replace'),
      actions: { 'workload/jobs/nightly': 'patch' },
      patches: { 'workload/jobs/nightly': { spec: { job: { concurrencyPolicy: 'Replace' } } } },
      live: { [path]: live('Replace') },
    },
    {
      it: 'runs now although it is suspended, with another image for that run only (platform/commands.run-now)',
      manifests: stack('Replace'),
      actions: {},
      live: { [path]: live('Replace') },
      async after(platform) {
        const containerOverrides = [{ name: 'main', image: 'registry.example.com/report:2' }];
        const body = { type: 'runCronWorkload', spec: { location: 'aws-us-west-2', containerOverrides } };
        const made = await platform.call('POST', `${path}/-command`, body);
        expect(made.status).toBe(201);
        const id = String(made.body['id']);
        expect(await untilEnded(platform, id)).toMatchObject({ lifecycleStage: 'completed' });
        const { body: deployment } = await platform.call('GET', `${path}/deployment/aws-us-west-2`);
        expect(at(deployment, 'status', 'jobExecutions')).toMatchObject([
          {
            name: `command-${id}`,
            status: 'Success',
            containers: { main: { image: 'registry.example.com/report:2' } },
          },
        ]);
      },
    },
  ],
  negatives: [
    {
      it: 'ports on cron (W8.ports)',
      manifests: stack('Allow').replace('      env:', '      ports: [{number: 8080}]\n      env:'),
      rules: ['W8.ports'],
    },
    {
      it: 'probes on cron (W9)',
      manifests: stack('Allow').replace('      env:', '      readinessProbe: {tcpSocket: {port: 8080}}\n      env:'),
      rules: ['W9'],
    },
    {
      it: 'local options on cron (W11)',
      manifests: stack('Allow').replace('  job:', '  localOptions: [{location: aws-us-west-2, spot: true}]\n  job:'),
      rules: ['W11'],
    },
    {
      it: 'a history of 11',
      manifests: stack('Allow').replace('historyLimit: 10', 'historyLimit: 11'),
      rules: ['W[a-z0-9.-]*|shape\\.range|cron\\.history-limit'],
    },
    { it: 'no job (W10)', manifests: stack('Allow').replace(/ {2}job:[\s\S]*$/, ''), rules: ['W10'] },
  ],
};
