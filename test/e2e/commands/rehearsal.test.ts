import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { changesById } from '../harness/gantry.ts';
import { inProcess } from '../harness/inProcess.ts';
import { writesSince } from '../harness/platform.ts';
import { usePlatform } from '../harness/usePlatform.ts';
import { writeProject } from '../harness/useProjects.ts';

const root = temporaryFolder('rehearsal-e2e');
const validPlan = new Ajv2020({ strict: false }).compile(
  JSON.parse(readFileSync(new URL('../../../dist/schemas/plan.json', import.meta.url), 'utf8')),
);
const canary = 'canary-4711';
const platform = usePlatform();

const project = (name: string, manifests: string) => writeProject(root, name, manifests);

const shop = (gvc: string, image: string) => `kind: gvc
name: ${gvc}
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}
---
kind: secret
name: ${gvc}-password
type: opaque
data: {payload: ${canary}}
---
kind: workload
gvc: ${gvc}
name: web
spec:
  type: standard
  containers:
    - name: main
      image: ${image}
      ports: [{number: 8080}]
      env: [{name: PASSWORD, value: "scheme://secret/${gvc}-password"}]
`;

const cli = (cwd: string, ...args: readonly string[]) => inProcess(platform, args, { cwd });

describe('gantry plan --rehearse', () => {
  test('prints the rehearsal below the plan, and sends no writes', async () => {
    const folder = project('creates', shop('creates', 'web:1'));
    const from = await platform.seen();
    const { code, stdout } = await cli(folder, 'plan', '.', '--rehearse=crash');
    expect(stdout).toContain('Plan: 3 to create');
    expect(stdout).toMatch(/\n\nRehearsal: consistent in rehearsal: 6 requests, 12 of 12 interruption points\.\n$/);
    expect(code).toBe(0);
    await platform.seen();
    expect(writesSince(platform, from)).toEqual([]);
  });

  test('without crash tries no interruption points, and says so', async () => {
    const folder = project('once', shop('once', 'web:1'));
    const { code, stdout } = await cli(folder, 'plan', '.', '--rehearse', '--out', 'once.plan');
    expect(existsSync(join(folder, 'once.plan'))).toBe(true);
    expect(stdout).toContain(
      'consistent in rehearsal: 6 requests, 0 of 12 interruption points; --rehearse=crash tries them.',
    );
    expect(code).toBe(0);
  });

  test('is a member of the JSON document, which follows the published schema', async () => {
    const folder = project('json', shop('json', 'web:1'));
    const { code, stdout } = await cli(folder, 'plan', '.', '--rehearse=crash', '-o', 'json', '--detailed-exitcode');
    expect(validPlan(JSON.parse(stdout)), JSON.stringify(validPlan.errors)).toBe(true);
    expect(JSON.parse(stdout).rehearsal).toEqual({
      consistent: true,
      requests: 6,
      points: { tried: 12, of: 12 },
      stoodInFor: [],
      proposed: [],
      unreadReferrers: [],
    });
    expect(stdout).not.toContain(canary);
    expect(code).toBe(2);
  });

  test('a plan that the platform would refuse is refused before anything is sent (platform/volumeset.encryption)', async () => {
    const rows = (key: string) => `kind: gvc
name: keys
spec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}
---
kind: volumeset
gvc: keys
name: rows
spec: {fileSystemType: ext4, performanceClass: general-purpose-ssd, initialCapacity: 10${key}}
---
kind: workload
gvc: keys
name: database
spec:
  type: stateful
  containers:
    - {name: main, image: "db:1", ports: [{number: 5432, protocol: tcp}], volumes: [{uri: "scheme://volumeset/rows", path: /rows}]}
`;
    const folder = project(
      'keys',
      rows(', customEncryption: {regions: {aws-us-west-2: {keyId: "arn:aws:kms:us-west-2:1:key/a"}}}'),
    );
    expect((await cli(folder, 'apply', '.', '--yes')).code).toBe(0);
    writeFileSync(join(folder, 'all.yaml'), rows(''));
    const { code, stdout } = await cli(folder, 'plan', '.', '--rehearse', '--out', 'keys.plan');
    expect(existsSync(join(folder, 'keys.plan'))).toBe(false);
    expect(stdout).toContain('Rehearsal: not consistent; the plan is refused.');
    expect(stdout).toContain('The run failed at request 1 (PATCH /org/local/gvc/keys/volumeset/rows):');
    expect(stdout).toContain('its key cannot change');
    expect(code).toBe(3);
    const json = await cli(folder, 'plan', '.', '--rehearse=crash', '-o', 'json');
    expect(validPlan(JSON.parse(json.stdout)), JSON.stringify(validPlan.errors)).toBe(true);
    expect(JSON.parse(json.stdout).rehearsal).toMatchObject({ consistent: false, problem: { what: 'apply' } });
    expect(json.code).toBe(3);
  });

  test('an unknown way to rehearse is a usage error that says where paths go', async () => {
    const { code, stderr } = await cli(project('usage', 'kind: group\nname: usage\n'), 'plan', '--rehearse', '.');
    expect(stderr).toContain('paths stand before it');
    expect(code).toBe(64);
  });

  test('a refused plan is not rehearsed, and a message says so', async () => {
    const folder = project('refused', `kind: group\nname: taken\n`);
    await platform.call('POST', '/org/local/group', { name: 'taken' });
    const { code, stdout, stderr } = await cli(folder, 'plan', '.', '--rehearse');
    expect(stderr).toContain('The plan is refused, so it was not rehearsed.');
    expect(stdout).not.toContain('Rehearsal');
    expect(code).toBe(3);
  });
});

describe('gantry plan --snapshot', () => {
  /** Runs a command without a platform, token or org in the environment. */
  const alone = (cwd: string, ...args: readonly string[]) => inProcess(undefined, args, { cwd });

  async function written(name: string, query = ''): Promise<string> {
    const path = join(root, name);
    writeFileSync(path, JSON.stringify((await platform.call('GET', `/-snapshot${query}`)).body));
    return path;
  }

  test('plans against a saved state, without endpoint, token or network', async () => {
    const folder = project('offline', shop('offline', 'web:1'));
    expect((await cli(folder, 'apply', '.', '--yes')).code).toBe(0);
    writeFileSync(join(folder, 'all.yaml'), shop('offline', 'web:2'));
    const file = await written('offline.json', '?secrets=true');
    const from = await platform.seen();
    const online = await cli(folder, 'plan', '.', '-o', 'json');
    const asked = (await platform.seen()) - from;
    const { code, stdout } = await alone(folder, 'plan', '.', '--snapshot', file, '-o', 'json', '--detailed-exitcode');
    expect(JSON.parse(stdout).changes).toEqual(JSON.parse(online.stdout).changes);
    expect(JSON.parse(stdout).org).toBe('local');
    expect(code).toBe(2);
    // `seen` sends one request itself; planning from the file sent none.
    expect(await platform.seen()).toBe(from + asked + 1);
  });

  test('values that the snapshot lacks are unknown, and the rehearsal names the secrets that it simulated', async () => {
    const folder = project('sealed', shop('sealed', 'web:1'));
    expect((await cli(folder, 'apply', '.', '--yes')).code).toBe(0);
    writeFileSync(join(folder, 'all.yaml'), shop('sealed', 'web:2'));
    const file = await written('sealed.json');
    expect(readFileSync(file, 'utf8')).not.toContain(canary);
    const { code, stdout, stderr } = await alone(folder, 'plan', '.', '--snapshot', file, '--rehearse=crash');
    expect(stdout).toContain('Plan: 1 to change');
    expect(stdout).toContain('consistent in rehearsal: 4 requests, 8 of 8 interruption points.');
    // The file has other secrets too, which are not named.
    expect(stdout).toContain(
      '  Not read from the platform; simulated in the rehearsal: secret/sealed-password (its values)\n',
    );
    expect(stderr).toContain(
      'does not hold the values of 1 secret that is declared: take it with GET /-snapshot?secrets=true',
    );
    expect(stdout + stderr).not.toContain(canary);
    expect(code).toBe(0);
  });

  test('a stack without changes has an empty plan against a full snapshot', async () => {
    const folder = project('same', shop('same', 'web:1'));
    expect((await cli(folder, 'apply', '.', '--yes')).code).toBe(0);
    const file = await written('same.json', '?secrets=true');
    const { stdout, code } = await alone(folder, 'plan', '.', '--snapshot', file, '-o', 'json', '--detailed-exitcode');
    expect([...changesById(stdout).values()].map(({ action }) => action)).toEqual(['keep', 'keep', 'keep']);
    expect(code).toBe(0);
  });

  test.each([
    ['no such file', undefined, 'file.read'],
    ['another document', '{"format": 7}', 'server.snapshot'],
    [
      'another org',
      '{"format": 1, "orgs": {"acme": {"facts": {"created": "x"}}, "b": {"facts": {"created": "x"}}}}',
      'server.snapshot',
    ],
  ])('%s is refused with its error code', async (_, text, errorCode) => {
    const folder = project('bad', shop('bad', 'web:1'));
    const file = join(root, 'state.json');
    if (text !== undefined) writeFileSync(file, text);
    else rmSync(file, { force: true });
    const { code, stderr } = await alone(folder, 'plan', '.', '--snapshot', '../state.json', '--org', 'local');
    expect(stderr).toContain(errorCode);
    expect(code).toBe(1);
  });
});
