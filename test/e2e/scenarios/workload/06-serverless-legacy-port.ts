import type { JsonObject } from '../../../../src/base/json/json.ts';
import type { Scenario } from '../../harness/scenario.ts';

const stack = (extra: { readonly mode: string; readonly path: string }) => `
kind: gvc
name: legacy
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}
---
kind: workload
gvc: legacy
name: old
spec:
  type: serverless
  containers:
    - name: main
      image: registry.example.com/old:1
      port: 8080
      env:
        - {name: EMPTY, value: ""}
        - {name: MODE, value: ${extra.mode}}
      readinessProbe: {tcpSocket: {}}
      livenessProbe: {exec: {command: [/bin/alive, -q]}, initialDelaySeconds: 20}
      metrics: {port: 9100, path: ${extra.path}}
      lifecycle:
        postStart: {exec: {command: [/bin/warm]}}
        preStop: {exec: {command: [/bin/drain, now]}}
      volumes:
        - {uri: "s3://assets", path: /assets}
        - {uri: "gs://uploads", path: /uploads, recoveryPolicy: retain}
`;

const live = (mode: string, path: string): JsonObject => ({
  name: 'old',
  description: 'old',
  tags: {},
  spec: {
    type: 'serverless',
    containers: [
      {
        name: 'main',
        image: 'registry.example.com/old:1',
        port: 8080,
        cpu: '50m',
        memory: '128Mi',
        inheritEnv: false,
        env: [
          { name: 'EMPTY', value: '' },
          { name: 'MODE', value: mode },
        ],
        readinessProbe: { tcpSocket: {} },
        livenessProbe: { exec: { command: ['/bin/alive', '-q'] }, initialDelaySeconds: 20 },
        metrics: { port: 9100, path },
        lifecycle: {
          postStart: { exec: { command: ['/bin/warm'] } },
          preStop: { exec: { command: ['/bin/drain', 'now'] } },
        },
        volumes: [
          { uri: 's3://assets', path: '/assets' },
          { uri: 'gs://uploads', path: '/uploads', recoveryPolicy: 'retain' },
        ],
      },
    ],
  },
});

export const scenario: Scenario = {
  number: 6,
  title: 'serverless with the legacy single port',
  steps: [
    {
      it: 'stores what was sent, and adds only the defaults of the container',
      manifests: stack({ mode: 'fast', path: '/metrics' }),
      actions: { 'gvc/legacy': 'create', 'workload/legacy/old': 'create' },
      live: { '/org/local/gvc/legacy/workload/old': live('fast', '/metrics') },
    },
    {
      it: 'an empty value instead of an absent one, and the default recovery retain, are no change',
      manifests: stack({ mode: 'fast', path: '/metrics' })
        .replace('{name: EMPTY, value: ""}', '{name: EMPTY}')
        .replace(', recoveryPolicy: retain', ''),
      actions: {},
      live: { '/org/local/gvc/legacy/workload/old': live('fast', '/metrics') },
    },
    {
      it: 'changes one variable and the metrics path with one nested patch, by container and variable name',
      manifests: stack({ mode: 'slow', path: '/stats' }),
      actions: { 'workload/legacy/old': 'patch' },
      patches: {
        'workload/legacy/old': {
          spec: {
            '$patch/containers': [
              { name: 'main', '$patch/env': [{ name: 'MODE', value: 'slow' }], metrics: { path: '/stats' } },
            ],
          },
        },
      },
      live: { '/org/local/gvc/legacy/workload/old': live('slow', '/stats') },
    },
  ],
  negatives: [
    {
      it: 'port and ports together (W3)',
      manifests: stack({ mode: 'fast', path: '/metrics' }).replace(
        'port: 8080',
        'port: 8080\n      ports: [{number: 8081}]',
      ),
      rules: ['W3'],
    },
    {
      it: 'two probe handlers (W27) and an unknown volume scheme (W30)',
      manifests: stack({ mode: 'fast', path: '/metrics' })
        .replace('{tcpSocket: {}}', '{tcpSocket: {}, httpGet: {path: /}}')
        .replace('s3://assets', 'ftp://assets'),
      rules: ['W27', 'W30'],
    },
    {
      it: 'a volume below another one (W29) and on a reserved path (W28)',
      manifests: stack({ mode: 'fast', path: '/metrics' })
        .replace('path: /assets', 'path: /uploads/inner')
        .replace('path: /uploads,', 'path: /uploads,')
        .replace('recoveryPolicy: retain}', 'recoveryPolicy: retain}\n        - {uri: "s3://tmp", path: /tmp}'),
      rules: ['W28', 'W29'],
    },
  ],
};
