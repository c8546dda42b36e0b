import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { load } from 'js-yaml';
import { beforeAll, describe, expect, test } from 'vitest';
import { succeeded } from '../../../outcome.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { inProcess } from '../../harness/inProcess.ts';
import { usePlatform } from '../../harness/usePlatform.ts';
import { writeProject } from '../../harness/useProjects.ts';

const root = temporaryFolder('explain');
const schema = JSON.parse(readFileSync(new URL('../../../../dist/schemas/explanation.json', import.meta.url), 'utf8'));
const validExplanation = new Ajv2020({ strict: false }).compile(schema);
const canary = 'CANARY-explain-71c2';
const platform = usePlatform();

const cli = (cwd: string, ...args: readonly string[]) => inProcess(platform, args, { cwd });

function manifests({
  image = 'nginx:1',
  secret = canary,
}: {
  readonly image?: string;
  readonly secret?: string;
} = {}): string {
  return [
    'kind: gvc',
    'name: shop',
    '---',
    'kind: workload',
    'name: web',
    'gvc: shop',
    'spec:',
    '  type: serverless',
    '  containers:',
    '    - name: main',
    `      image: ${image}`,
    '      cpu: 0.1',
    '      memory: 128Mi',
    '      ports: [{number: 8080}]',
    '---',
    'kind: secret',
    'name: key',
    'type: opaque',
    `data: {payload: ${secret}}`,
    '',
  ].join('\n');
}

const project = (name: string, manifests: string) => writeProject(root, name, manifests);

let shop: string;
beforeAll(async () => {
  shop = project('explained', manifests());
  const { code, stderr } = await cli(shop, 'apply', '.', '--yes');
  expect(code, stderr).toBe(0);
});

describe('gantry explain', () => {
  test('shows each value with its place and its author, and the proof of the patch', async () => {
    await platform.call('PATCH', '/org/local/gvc/shop/workload/web', {
      spec: { '$patch/containers': [{ name: 'main', cpu: '200m' }] },
    });
    writeFileSync(join(shop, 'all.yaml'), manifests({ image: 'nginx:2' }));
    const { stdout, code } = await cli(shop, 'explain', '.', 'workload/shop/web');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^~ workload\/shop\/web \(version 2\) will be changed$/m);
    expect(stdout).toMatch(/the patch produces the declared values of all \d+ managed fields\./);
    expect(stdout).toMatch(
      /spec\.containers\.main\.image.*\n +declared {2}nginx:2 {2}all\.yaml:11:7\n +live {6}nginx:1 {2}last written by admin@example\.com at \S+, version 1$/m,
    );
    expect(stdout).toMatch(
      /spec\.containers\.main\.cpu.*\n +declared {2}0\.1 {2}all\.yaml:12:7\n +live {6}200m {2}last written by admin@example\.com at \S+, version 2$/m,
    );
    expect(stdout).toMatch(/✓ \$patch\/containers: 2 changed leaves, \d+ bytes\n +containers: \d+ changed leaves/);
  });

  test('reads one audit trail, and only for a difference or a given path', async () => {
    const asked = async (...args: readonly string[]): Promise<readonly string[]> => {
      const from = await platform.seen();
      await cli(shop, 'explain', '.', ...args);
      await platform.seen();
      return platform.requests
        .slice(from)
        .map(({ path }) => path)
        .filter((path) => path.startsWith('/audit/'));
    };
    expect((await asked('gvc/shop')).length).toBe(0);
    expect((await asked('workload/shop/web')).length).toBe(1);
    expect((await asked('gvc/shop', 'description')).length).toBe(1);
  });

  test('of one path says why it does not differ', async () => {
    const { stdout } = await cli(shop, 'explain', '.', 'workload/shop/web', 'spec.containers.main.memory');
    expect(stdout).toMatch(/= spec\.containers\.main\.memory\n +declared {2}128Mi {2}all\.yaml:13:7\n +live {6}128Mi/);
    expect(stdout).toContain('the same on both sides');
  });

  test('documents follow the published schema', async () => {
    for (const args of [['workload/shop/web', 'spec'], ['gvc/shop'], ['secret/key', 'data']]) {
      const { stdout } = await cli(shop, 'explain', '.', ...args, '-o', 'json');
      expect(validExplanation(JSON.parse(stdout)), JSON.stringify(validExplanation.errors)).toBe(true);
    }
    const { stdout: yaml } = await cli(shop, 'explain', '.', 'workload/shop/web', '-o', 'yaml');
    expect(validExplanation(load(yaml))).toBe(true);
    const printed = JSON.parse((await cli(shop, 'schema', 'explanation')).stdout);
    expect(printed).toEqual(schema);
  });

  test('explains a saved plan without its manifests', async () => {
    const file = join(root, 'kept.plan');
    expect((await cli(shop, 'plan', '.', '--out', file)).code).toBe(0);
    const { stdout, code, stderr } = await cli(root, 'explain', file, 'workload/shop/web');
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/declared {2}nginx:2 {2}all\.yaml:11:7/);
    expect(stdout).toMatch(/live {6}200m {2}last written by admin@example\.com/);
    expect(stdout).toMatch(/the declared values of all \d+ managed fields/);

    const offline = await succeeded(
      inProcess(undefined, ['explain', file, 'workload/shop/web', 'spec.containers.main.cpu'], { cwd: root }),
    );
    expect(offline.stdout).toContain('last writer unknown');
    const kept = await inProcess(undefined, ['explain', file, 'gvc/shop'], { cwd: root });
    expect([kept.code, kept.stderr]).toEqual([1, expect.stringContaining('error explain.kept: ')]);
  });

  test('shows no secret values', async () => {
    writeFileSync(join(shop, 'all.yaml'), manifests({ secret: `${canary}-new` }));
    for (const args of [[], ['data.payload'], ['data', '-o', 'json']]) {
      const { stdout, stderr } = await cli(shop, 'explain', '.', 'secret/key', ...args);
      expect(stdout + stderr).not.toContain(canary);
      expect(stdout + stderr).not.toContain(Buffer.from(canary).toString('base64'));
    }
  });

  test('suggests a name for an unknown resource or path, and ends with 1', async () => {
    const resource = await cli(shop, 'explain', '.', 'web');
    expect(resource.code).toBe(1);
    expect(resource.stderr).toContain('error explain.unknown-resource: ');
    expect(resource.stderr).toContain('Did you mean workload/shop/web?');
    const path = await cli(shop, 'explain', '.', 'workload/shop/web', 'spec.container');
    expect(path.code).toBe(1);
    expect(path.stderr).toContain('error explain.unknown-path: ');
    expect(path.stderr).toContain('Did you mean spec.containers?');
  });

  test('shows everything but the author if the audit trail cannot be read', async () => {
    await platform.call('POST', '/org/local/serviceaccount', { name: 'viewer' });
    for (const kind of ['gvc', 'workload', 'secret']) {
      await platform.call('POST', '/org/local/policy', {
        name: `viewer-${kind}`,
        targetKind: kind,
        target: 'all',
        bindings: [
          {
            permissions: kind === 'secret' ? ['view', 'reveal'] : ['view'],
            principalLinks: ['//serviceaccount/viewer'],
          },
        ],
      });
    }
    const { body } = await platform.call('POST', '/org/local/serviceaccount/viewer/-addKey', { description: 'test' });
    const args = ['explain', '.', 'workload/shop/web', '--token', String(body['key'])];
    const { code, stdout, stderr } = await cli(shop, ...args);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/live {6}200m {2}last writer unknown/);
  });
});

test('a plan names who removed the owner tag of a resource, as far as the audit trail shows', async () => {
  const folder = project('lost', 'kind: group\nname: lost\n');
  expect((await cli(folder, 'apply', '.', '--yes')).code).toBe(0);
  await platform.call('PATCH', '/org/local/group/lost', { tags: { 'gantry/stack': null } });
  const { stdout, code } = await cli(folder, 'plan', '.');
  expect(code).toBe(3);
  expect(stdout).toMatch(/note: owner-lost: admin@example\.com removed the tag gantry\/stack at \S+, version 2$/m);
  const json = JSON.parse((await cli(folder, 'plan', '.', '-o', 'json')).stdout);
  const calm = project('calm', 'kind: group\nname: calm\n');
  const usual = JSON.parse((await cli(calm, 'plan', '.', '-o', 'json')).stdout);
  // The read of the audit trail is counted. A group that does not exist costs two more: it may be hidden, and it may
  // have been deleted by an unfinished replacement.
  expect(json.requests.snapshot).toBe(usual.requests.snapshot + 1 - 2);
});
