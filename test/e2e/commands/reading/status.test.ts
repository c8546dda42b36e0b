import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, stringAt } from '../../../../src/base/json/json.ts';
import { type Outcome, succeeded } from '../../../outcome.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { inProcess } from '../../harness/inProcess.ts';
import { startGantry, waitForStderr } from '../../harness/running.ts';
import { usePlatform } from '../../harness/usePlatform.ts';
import { type Project, useProjects } from '../../harness/useProjects.ts';

/** A resource is ready after one minute of the platform's clock, which the tests advance. */
const root = temporaryFolder('status');
const platform = usePlatform(['--clock', 'virtual', '--ready-after', '60s']);
const newProject = useProjects(platform, 'status', { root });

const minute = () => platform.call('POST', '/-clock', { advance: '1m' });

function stack(name: string): string {
  return `
kind: gvc
name: ${name}
spec: {staticPlacement: {locationLinks: [//location/aws-eu-central-1]}}
---
kind: secret
name: ${name}-key
type: opaque
data: {payload: c4n4ry-hidden}
---
kind: volumeset
name: files
gvc: ${name}
spec: {fileSystemType: shared, performanceClass: shared, initialCapacity: 10}
---
kind: workload
name: web
gvc: ${name}
spec:
  type: standard
  containers:
    - name: main
      image: a:1
      ports: [{number: 8080, protocol: http}]
      volumes: [{uri: scheme://volumeset/files, path: /files}]
---
kind: domain
name: ${name}.example.com
spec:
  dnsMode: cname
  ports:
    - number: 443
      protocol: http2
      tls: {}
      routes: [{prefix: /, workloadLink: //gvc/${name}/workload/web, port: 8080}]
`;
}

const project = () => newProject(stack);

async function applied(): Promise<Project> {
  const it = project();
  await succeeded(it.run('apply', '.', '--yes'));
  return it;
}

function document({ stdout }: Outcome): JsonObject {
  const parsed: unknown = JSON.parse(stdout);
  return isObject(parsed) ? parsed : {};
}

/** The resource with this id. */
function resourceIn(outcome: Outcome, id: string): JsonObject | undefined {
  return listAt(document(outcome), 'resources')
    .filter(isObject)
    .find((each) => stringAt(each, 'id') === id);
}

test('before the first apply every resource is absent, which is a failure', async () => {
  const outcome = await project().run('status', '.');
  expect(outcome.code, outcome.stderr).toBe(1);
  expect(outcome.stdout).toContain('5 resources: 5 failed.');
  expect(outcome.stdout).toContain('Absent: declared, but not on the platform. gantry apply creates it.');
});

test('the JSON of a failure has an error with each failed resource', async () => {
  const it = project();
  const outcome = await it.run('status', '.', '-o', 'json');
  expect(outcome.code).toBe(1);
  const reason = 'it is declared, but does not exist';
  const causes = expect.arrayContaining([{ code: 'status.failed', message: reason, resource: `gvc/${it.name}` }]);
  expect(document(outcome)).toMatchObject({ state: 'failed', error: { code: 'status.failed', causes } });
});

test('exit code 2 if resources are not ready, with the state of each kind; 0 if all are ready', async () => {
  const it = await applied();
  const early = await it.run('status', '.', '-o', 'json');
  expect(early.code).toBe(2);
  expect(document(early)).toMatchObject({ state: 'not-ready', summary: { ready: 2, 'not-ready': 3, failed: 0 } });
  expect(resourceIn(early, `workload/${it.name}/web`)).toMatchObject({
    state: 'not-ready',
    health: 'notReady',
    version: 1,
    processedVersion: 1,
    locations: { ready: 0, total: 1 },
    reasons: ['aws-eu-central-1: the new version is starting'],
    deployments: [{ location: 'aws-eu-central-1', ready: false, processedVersion: 1 }],
  });
  expect(resourceIn(early, `domain/${it.name}.example.com`)).toMatchObject({
    health: 'initializing',
    endpoints: [`https://${it.name}.example.com`],
    certificates: [{ location: 'aws-eu-central-1', status: 'initializing' }],
  });

  await minute();
  const ready = await succeeded(it.run('status', '.', '-o', 'json'));
  expect(resourceIn(ready, `workload/${it.name}/web`)).toMatchObject({
    state: 'ready',
    health: 'ready',
    processedVersion: 1,
    locations: { ready: 1, total: 1 },
    endpoints: [expect.stringMatching(/^https:\/\/web-/)],
  });
  expect(resourceIn(ready, `volumeset/${it.name}/files`)).toMatchObject({
    health: 'bound',
    volumes: { count: 1, capacityGb: 10 },
  });
  expect(`${ready.stdout}${early.stdout}`).not.toContain('c4n4ry');
});

test('the document follows the published schema', async () => {
  const it = await applied();
  const validate = new Ajv2020({ strict: false }).compile(document(await it.run('schema', 'status')));
  for (const outcome of [await it.run('status', '.', '-o', 'json'), await project().run('status', '.', '-o', 'json')]) {
    validate(document(outcome));
    expect(validate.errors).toBeNull();
  }
});

test('a refused certificate has failed', async () => {
  const it = await applied();
  const domain = `/org/local/domain/${it.name}.example.com`;
  const simulated = await platform.call('POST', `${domain}/-simulate`, { certificate: 'refused' });
  expect(simulated.status).toBeLessThan(300);
  await minute();
  const outcome = await it.run('status', '.');
  expect(outcome.code, outcome.stdout).toBe(1);
  expect(outcome.stdout).toMatch(new RegExp(`✗ domain/${it.name}.example.com +errored`));
});

test('--stack needs no manifests; a stack without resources is a failure', async () => {
  const it = await applied();
  await minute();
  const empty = mkdtempSync(join(root, 'empty'));
  const named = await succeeded(inProcess(platform, ['status', '--stack', it.name], { cwd: empty }));
  expect(named.stdout).toContain('5 resources: 5 ready.');
  expect(named.stdout).toContain('No manifests were read: what is declared and absent is not known.');
  const unknown = await inProcess(platform, ['status', '--stack', 'nobody'], { cwd: empty });
  expect(unknown.code).toBe(1);
  expect(unknown.stdout).toContain('Nothing belongs to this stack.');
});

test('status sends one query for each kind, and one request for each workload that is not ready', async () => {
  const it = await applied();
  const asked = async () => {
    const from = await platform.seen();
    const outcome = await it.run('status', '.', '-o', 'json');
    await platform.seen();
    return { outcome, paths: platform.requests.slice(from, -1).map(({ method, path }) => `${method} ${path}`) };
  };
  const early = await asked();
  expect(early.paths.filter((path) => !path.endsWith('/-query'))).toEqual([
    `GET /org/local/gvc/${it.name}/workload/web/deployment`,
  ]);
  expect(document(early.outcome)).toMatchObject({ requests: early.paths.length });
  await minute();
  expect((await asked()).paths.filter((path) => !path.endsWith('/-query'))).toEqual([]);
});

test('--watch reports changes until everything is ready, and ends with the full status', async () => {
  const it = await applied();
  const watching = startGantry(platform.url, ['status', '.', '--watch'], it.folder);
  await waitForStderr(watching, `workload/${it.name}/web notReady`);
  await minute();
  const ended = await succeeded(watching.ended);
  expect(ended.stderr).toContain(`✓ workload/${it.name}/web ready after`);
  expect(ended.stdout).toContain('5 resources: 5 ready.');
});

test('--watch ends after --wait-timeout with exit code 2, and at Ctrl-C with 130', async () => {
  const it = await applied();
  const late = await it.run('status', '.', '--watch', '--wait-timeout', '0s');
  expect(late.code, late.stderr).toBe(2);
  expect(late.stderr).toContain('Stopped watching after --wait-timeout: something is not ready yet.');

  const watching = startGantry(platform.url, ['status', '.', '--watch'], it.folder);
  await waitForStderr(watching, 'notReady');
  watching.child.kill('SIGINT');
  const ended = await watching.ended;
  expect(ended.code).toBe(130);
  expect(ended.stdout).toContain('not ready');
});

test('a secret in use is deleted only with a flag, and then plan and status report that it is missing', async () => {
  const { name, write, run } = newProject();
  const secret = `
---
kind: secret
name: ${name}-key
type: opaque
data: {payload: c4n4ry-hidden}
`;
  const web = `
kind: gvc
name: ${name}
spec: {staticPlacement: {locationLinks: [//location/aws-eu-central-1]}}
---
kind: workload
name: web
gvc: ${name}
spec:
  type: standard
  containers:
    - name: main
      image: a:1
      ports: [{number: 8080, protocol: http}]
      env: [{name: KEY, value: scheme://secret/${name}-key.payload}]
`;
  write(`${web}${secret}`);
  await succeeded(run('apply', '.', '--yes'));
  await minute();
  expect((await run('status', '.')).code).toBe(0);

  write(web);
  const refused = await run('plan', '.');
  expect(refused.code).toBe(3);
  expect(refused.stdout).toContain(`workload/${name}/web stays, and needs it at spec.containers.main.env.KEY.value`);
  expect(refused.stdout).toContain('--allow-dangling=1');
  await succeeded(run('apply', '.', '--yes', '--allow-dangling=1'));

  const missing = `spec.containers.main.env.KEY.value refers to secret/${name}-key, which does not exist`;
  const plan = await succeeded(run('plan', '.'));
  expect(plan.stdout.replaceAll(/\s+/g, ' ')).toContain(`workload/${name}/web: ${missing}`);
  const status = await run('status', '.', '-o', 'json');
  expect(status.code).toBe(2);
  expect(resourceIn(status, `workload/${name}/web`)).toMatchObject({ state: 'not-ready', reasons: [missing] });
});
