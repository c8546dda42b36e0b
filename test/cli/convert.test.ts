import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { inProcess } from '../e2e/harness/inProcess.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const cwd = temporaryFolder('convert');

const kubernetes = `
apiVersion: v1
kind: ConfigMap
metadata: { name: web-config }
data: { LOG_LEVEL: info, app.conf: a=1 }
---
apiVersion: v1
kind: Secret
metadata: { name: database }
type: kubernetes.io/basic-auth
data: { username: c2hvcA==, password: aHVudGVyMg== }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { team: shop } }
spec:
  replicas: 3
  strategy: { type: Recreate }
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: main
          image: registry.example.com/web:1
          command: [node, server.js]
          args: ['--verbose']
          ports: [{ name: http, containerPort: 8081 }]
          resources: { limits: { cpu: 500m, memory: 256Mi } }
          envFrom: [{ configMapRef: { name: web-config } }]
          env:
            - { name: DB_PASSWORD, valueFrom: { secretKeyRef: { name: database, key: password } } }
            - { name: NODE, valueFrom: { fieldRef: { fieldPath: spec.nodeName } } }
          readinessProbe: { httpGet: { path: /ready, port: http } }
          volumeMounts: [{ name: conf, mountPath: /etc/app }]
      volumes: [{ name: conf, configMap: { name: web-config } }]
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: http }] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: web }
spec:
  rules:
    - host: shop.example.com
      http: { paths: [{ path: /, backend: { service: { name: web, port: { number: 80 } } } }] }
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: queue }
spec:
  selector: { matchLabels: { app: queue } }
  template:
    metadata: { labels: { app: queue } }
    spec:
      containers:
        - { name: main, image: 'queue:3', ports: [{ containerPort: 5672 }], volumeMounts: [{ name: data, mountPath: /data }] }
  volumeClaimTemplates:
    - { metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 20Gi } } } }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: shared }
spec: { accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }
---
apiVersion: batch/v1
kind: CronJob
metadata: { name: nightly }
spec:
  schedule: '0 3 * * *'
  jobTemplate: { spec: { template: { spec: { restartPolicy: OnFailure, containers: [{ name: main, image: 'report:1' }] } } } }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { minAvailable: 1 }
`;

const compose = `
services:
  web:
    image: registry.example.com/web:1
    ports: ['8080:80/tcp']
    environment: { DB_HOST: database, DB_PASSWORD: '\${DB_PASSWORD}' }
    depends_on: [database]
    deploy: { replicas: 2, resources: { limits: { cpus: '0.5', memory: 256M } } }
    healthcheck: { test: curl -f http://localhost, interval: 1m30s }
  database:
    image: postgres:16
    volumes: ['data:/var/lib/postgresql/data', './init:/init']
    entrypoint: docker-entrypoint.sh
    command: postgres -c "max_connections=100"
volumes: { data: {} }
`;

function convert(input: string, ...args: readonly string[]) {
  return inProcess(undefined, ['convert', '-', '--gvc', 'shop', ...args], { cwd, input });
}

async function documentOf(input: string) {
  const { stdout } = await convert(input, '-o', 'json');
  const { manifests, notes } = JSON.parse(stdout);
  const byId = new Map<string, unknown>(
    manifests.map((each: { kind: string; name: string }) => [`${each.kind}/${each.name}`, each]),
  );
  return { byId, notes: notes.map(({ about, message }: { about: string; message: string }) => `${about}: ${message}`) };
}

test('a Deployment becomes a workload with its ports, probes, variables and files, and its Ingress makes it public', async () => {
  const { byId } = await documentOf(kubernetes);
  expect(byId.get('workload/web')).toEqual({
    kind: 'workload',
    name: 'web',
    gvc: 'shop',
    tags: { team: 'shop' },
    spec: {
      type: 'standard',
      identityLink: '//gvc/shop/identity/web',
      containers: [
        {
          name: 'main',
          image: 'registry.example.com/web:1',
          command: 'node',
          args: ['server.js', '--verbose'],
          cpu: '500m',
          memory: '256Mi',
          env: [
            { name: 'LOG_LEVEL', value: 'info' },
            { name: 'DB_PASSWORD', value: 'scheme://secret/database.password' },
          ],
          ports: [{ number: 8081, protocol: 'http' }],
          readinessProbe: { httpGet: { path: '/ready', port: 8081 } },
          volumes: [{ uri: 'scheme://secret/web-config', path: '/etc/app' }],
        },
      ],
      defaultOptions: { autoscaling: { minScale: 3, maxScale: 3 }, capacityAI: false },
      firewallConfig: {
        external: { inboundAllowCIDR: ['0.0.0.0/0'], outboundAllowCIDR: ['0.0.0.0/0'] },
        internal: { inboundAllowType: 'same-gvc' },
      },
    },
  });
  expect(byId.get('domain/shop.example.com')).toMatchObject({
    spec: { ports: [{ number: 443, routes: [{ prefix: '/', workloadLink: '//gvc/shop/workload/web', port: 8081 }] }] },
  });
  expect(byId.get('policy/shop-web-secrets')).toMatchObject({
    targetLinks: ['//secret/web-config', '//secret/database'],
    bindings: [{ permissions: ['reveal'], principalLinks: ['//gvc/shop/identity/web'] }],
  });
});

test('claims become volume sets of at least 10 GB, and a CronJob becomes a workload with a job', async () => {
  const { byId } = await documentOf(kubernetes);
  expect(byId.get('volumeset/queue-data')).toMatchObject({ spec: { initialCapacity: 20, fileSystemType: 'ext4' } });
  expect(byId.get('volumeset/shared')).toMatchObject({ spec: { initialCapacity: 10, fileSystemType: 'shared' } });
  expect(byId.get('workload/queue')).toMatchObject({
    spec: { type: 'stateful', containers: [{ volumes: [{ uri: 'scheme://volumeset/queue-data', path: '/data' }] }] },
  });
  expect(byId.get('workload/nightly')).toMatchObject({
    spec: { type: 'cron', job: { schedule: '0 3 * * *', concurrencyPolicy: 'Allow', restartPolicy: 'OnFailure' } },
  });
});

test('no value of a Secret is printed: each comes from a variable, which a note names', async () => {
  const { byId, notes } = await documentOf(kubernetes);
  expect(byId.get('secret/database')).toEqual({
    kind: 'secret',
    name: 'database',
    type: 'userpass',
    data: { username: { fromEnv: 'DATABASE_USERNAME' }, password: { fromEnv: 'DATABASE_PASSWORD' } },
  });
  expect(notes).toContain(
    'secret/database: its values were not copied: set DATABASE_USERNAME, DATABASE_PASSWORD when you plan and apply',
  );
  const { stdout, stderr } = await convert(kubernetes);
  expect(stdout + stderr).not.toMatch(/hunter2|aHVudGVyMg/);
});

test('kinds and fields without a counterpart are listed, except those that only name a part', async () => {
  const { notes } = await documentOf(kubernetes);
  const without = notes.filter((note: string) => note.endsWith('has no counterpart'));
  expect(without).toEqual([
    'deployment/web spec.strategy: this field has no counterpart',
    'deployment/web spec.template.spec.containers[0].env[1].valueFrom.fieldRef: this field has no counterpart',
    'poddisruptionbudget/web: this kind has no counterpart',
  ]);
  expect(notes).toContain('service/web: services do not exist: callers use web.shop.scheme.local:8081');
});

test('a Compose service becomes a workload; bind mounts and start order have no counterpart', async () => {
  const { byId, notes } = await documentOf(compose);
  expect(byId.get('workload/web')).toMatchObject({
    lifecycle: { sensitive: ['spec.containers.main.env.DB_PASSWORD.value'] },
    spec: {
      type: 'standard',
      containers: [
        {
          ports: [{ number: 80, protocol: 'http' }],
          cpu: '0.5',
          memory: '256Mi',
          env: [
            { name: 'DB_HOST', value: 'database' },
            { name: 'DB_PASSWORD', value: { fromEnv: 'DB_PASSWORD' } },
          ],
          readinessProbe: { exec: { command: ['sh', '-c', 'curl -f http://localhost'] }, periodSeconds: 90 },
        },
      ],
      defaultOptions: { autoscaling: { minScale: 2, maxScale: 2 } },
      firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'] } },
    },
  });
  expect(byId.get('workload/database')).toMatchObject({
    spec: {
      type: 'stateful',
      containers: [
        {
          command: 'docker-entrypoint.sh',
          args: ['postgres', '-c', 'max_connections=100'],
          volumes: [{ uri: 'scheme://volumeset/data', path: '/var/lib/postgresql/data' }],
        },
      ],
    },
  });
  expect(notes).toEqual([
    'service/web depends_on: this field has no counterpart',
    'service/database: the volume ./init:/init is a folder of this machine, which has no counterpart',
  ]);
});

test.each([
  ['of Kubernetes', kubernetes],
  ['of Compose', compose],
])('converted manifests %s are valid as printed', async (_, input) => {
  const { stdout } = await convert(input, '--location', 'aws-eu-central-1');
  expect(parseAllDocuments(stdout)[0]?.toJS()).toMatchObject({ kind: 'gvc', name: 'shop' });
  const validated = await inProcess(undefined, ['validate', '-'], { cwd, input: stdout });
  expect(validated).toMatchObject({ code: 0 });
});

test('names that the platform does not accept are listed', async () => {
  const { byId, notes } = await documentOf('services:\n  db: { image: "postgres:17" }\n  web: { image: "x:1" }');
  expect([...byId.keys()]).toEqual(['workload/db', 'workload/web']);
  expect(notes).toEqual([
    'workload/db: "db" has 2 characters; a workload name must have 3 to 49: give it another one here, and in all that names it',
  ]);
});

const loopback = 'its ports are published on a loopback address, so it is not public';

test.each<[ports: string, numbers: readonly number[], isPublic: boolean, notes: readonly string[]]>([
  ['80', [80], true, []],
  ["'8080:80'", [80], true, []],
  ["'0.0.0.0:8080:80/tcp'", [80], true, []],
  ["'$PORT:80'", [80], true, []],
  ["'127.0.0.1:5432:5432'", [5432], false, [loopback]],
  ["'127.0.0.1::5432'", [5432], false, [loopback]],
  ["'[::1]:5432:5432'", [5432], false, [loopback]],
  ["{ target: 5432, published: 5432, host_ip: '::1' }", [5432], false, [loopback]],
  ["'127.0.0.1:5432:5432', '8080:80'", [5432, 80], true, []],
  ["'53:53/udp'", [53], true, ['port 53 is UDP, and there is TCP only']],
  ['{ target: 53, protocol: udp }', [53], true, ['port 53 is UDP, and there is TCP only']],
  ["'3000-3005:4000-4005', 80", [80], true, ['the port 4000-4005 is not a single number, and was left out']],
])('the ports [%s] of a Compose service', async (ports, numbers, isPublic, expected) => {
  const { byId, notes } = await documentOf(`services: { web: { image: 'web:1', ports: [${ports}] } }`);
  const external = isPublic ? { inboundAllowCIDR: ['0.0.0.0/0'] } : {};
  expect(byId.get('workload/web')).toMatchObject({
    spec: {
      containers: [{ ports: numbers.map((number) => expect.objectContaining({ number })) }],
      firewallConfig: { external: { ...external, outboundAllowCIDR: ['0.0.0.0/0'] } },
    },
  });
  expect(JSON.stringify(byId.get('workload/web')).includes('inboundAllowCIDR')).toBe(isPublic);
  expect(notes).toEqual(expected.map((note) => `service/web: ${note}`));
});

test('names that two manifests have, such as those of two namespaces, are listed', async () => {
  const named = (namespace: string) => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: files, namespace: ${namespace} }
spec: { accessModes: [ReadWriteMany] }
`;
  const { notes } = await documentOf(`${named('blue')}---${named('green')}`);
  expect(notes).toEqual([
    'volumeset/files: 2 manifests have this name: give each another one, and in all that names it',
  ]);
});

test('an input without anything to convert is said to be so', async () => {
  const { code, stdout, stderr } = await convert('{apiVersion: v1, kind: List, items: []}');
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: 'There is nothing to convert.\n' });
});

test('a file in another format is an error that names the accepted ones', async () => {
  const { code, stdout } = await convert('a: 1', '-o', 'yaml');
  expect(code).toBe(1);
  expect(parse(stdout)).toMatchObject({ error: { code: 'input.unknown' } });
});
