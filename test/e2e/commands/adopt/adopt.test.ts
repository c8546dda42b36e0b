import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt } from '../../../../src/base/json/json.ts';
import { filesBelow } from '../../../harness/filesBelow.ts';
import { succeeded } from '../../../outcome.ts';
import { changesById } from '../../harness/gantry.ts';
import { inProcess } from '../../harness/inProcess.ts';
import { usePlatform } from '../../harness/usePlatform.ts';

const repository = new URL('../../../..', import.meta.url).pathname;
const canary = 'c4nary-of-adopt';
/** Inside the repository, so that code resolves the package. */
const root = mkdtempSync(join(repository, '.adopt-e2e-'));
const elsewhere = mkdtempSync(join(tmpdir(), 'gantry-adopt-'));
const platform = usePlatform();

// biome-ignore format: a row is a case
const records: readonly (readonly [path: string, body: JsonObject])[] = [
  ['/org/local/secret', { name: 'key', type: 'userpass', data: { username: canary, password: `${canary}-2` } }],
  ['/org/local/secret', { name: 'shop', type: 'dictionary', data: { port: canary } }],
  ['/org/local/gvc',
    { name: 'shop', spec: { staticPlacement: { locationLinks: ['//location/aws-us-west-2'] } }, tags: { team: 'a' } }],
  ['/org/local/gvc/shop/identity', { name: 'api' }],
  ['/org/local/policy', { name: 'reveal', targetKind: 'secret', targetLinks: ['//secret/key', '//secret/shop'],
    bindings: [{ permissions: ['reveal'], principalLinks: ['//gvc/shop/identity/api'] }] }],
  [
    '/org/local/gvc/shop/workload',
    {
      name: 'api',
      spec: {
        type: 'standard',
        identityLink: '//identity/api',
        containers: [
          { name: 'main', image: 'nginx:1', ports: [{ number: 80 }],
            env: [{ name: 'PORT', value: 'scheme://secret/shop.port' }] },
        ],
      },
    },
  ],
  ['/org/local/domain', { name: 'shop.example.com', spec: {} }],
  ['/org/local/group', { name: 'theirs', tags: { 'gantry/stack': 'bank' } }],
];

beforeAll(async () => {
  for (const each of [root, elsewhere]) mkdirSync(each, { recursive: true });
  for (const [path, body] of records) {
    const { status, body: answer } = await platform.call('POST', path, body);
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  }
});
afterAll(async () => {
  rmSync(root, { recursive: true, force: true });
  rmSync(elsewhere, { recursive: true, force: true });
});

function folder(name: string, stack = name): string {
  const path = join(root, name);
  mkdirSync(path);
  writeFileSync(join(path, 'gantry.yaml'), `stack: ${stack}\n`);
  return path;
}

/** The versions of all records that the tests created. */
async function versions(): Promise<Readonly<Record<string, unknown>>> {
  const read = async ([path, body]: readonly [string, JsonObject]) => {
    const { body: live } = await platform.call('GET', `${path}/${String(body['name'])}`);
    return [`${path}/${String(body['name'])}`, live['version']] as const;
  };
  return Object.fromEntries(await Promise.all(records.map(read)));
}

test('adopt lists the resources that cannot be adopted with the reason, and writes nothing', async () => {
  const cwd = folder('impossible');
  const outcome = await inProcess(platform, ['adopt', 'group/theirs', 'location/aws-us-west-2', 'gvc/none', 'user/x'], {
    cwd,
  });
  expect(outcome.code).toBe(1);
  expect(outcome.stdout).toBe('');
  expect(outcome.stderr).toContain('left out: group/theirs: it belongs to the stack bank; if that stack hands it over');
  expect(outcome.stderr).toContain('left out: location/aws-us-west-2: it is built in');
  expect(outcome.stderr).toContain('left out: gvc/none: there is no such resource');
  expect(outcome.stderr).toContain('left out: user/x: a user is created by the platform and cannot be declared');
  expect(outcome.stderr).toContain('adopt.impossible');
});

test('adopt of named resources prints minimal manifests without secrets', async () => {
  const cwd = folder('named');
  const before = await versions();
  const outcome = await inProcess(platform, ['adopt', 'workload/shop/api', 'secret/shop'], { cwd });
  expect(outcome.stderr).not.toContain('error');
  expect(outcome.stdout).toBe(`kind: secret
name: shop
lifecycle:
  ignore:
    - data
type: dictionary
# a placeholder: the value on the platform stays (lifecycle.ignore); fill it in only to create the resource again
data:
  port: SET-BEFORE-CREATING
---
kind: workload
name: api
gvc: shop
spec:
  type: standard
  identityLink: //identity/api
  containers:
    - name: main
      image: nginx:1
      ports:
        - number: 80
      env:
        - name: PORT
          value: scheme://secret/shop.port
`);
  expect(outcome.code).toBe(0);
  expect(await versions()).toEqual(before);
});

test('adopt --gvc includes the GVC and its content', async () => {
  const cwd = folder('gvc');
  const outcome = await succeeded(inProcess(platform, ['adopt', '--all', '--gvc', 'shop'], { cwd }));
  expect(outcome.stdout.match(/^kind: .*/gm)).toEqual(['kind: gvc', 'kind: identity', 'kind: workload']);
});

test('a record that no manifest can express is reported with its fields, and no file is written', async () => {
  const cwd = folder('unreadable');
  const tags = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`tag-${index}`, 'x']));
  expect((await platform.call('POST', '/org/local/group', { name: 'labelled', tags })).status).toBe(201);
  const outcome = await inProcess(platform, ['adopt', 'group/labelled', '--out', 'group.yaml'], { cwd });
  await platform.call('DELETE', '/org/local/group/labelled');
  expect(outcome.code).toBe(1);
  expect(outcome.stderr).toContain('adopt.unreadable');
  expect(outcome.stderr).toContain('tags.user-count');
  expect(readdirSync(cwd)).toEqual(['gantry.yaml']);
});

test('an existing file is overwritten only with --yes', async () => {
  const cwd = folder('exists');
  writeFileSync(join(cwd, 'shop.yaml'), 'mine\n');
  const refused = await inProcess(platform, ['adopt', 'gvc/shop', '--out', 'shop.yaml'], { cwd });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('adopt.exists');
  expect(readFileSync(join(cwd, 'shop.yaml'), 'utf8')).toBe('mine\n');
  await succeeded(inProcess(platform, ['adopt', 'gvc/shop', '--out', 'shop.yaml', '--yes'], { cwd }));
  expect(readFileSync(join(cwd, 'shop.yaml'), 'utf8')).toContain('name: shop');
});

test('a file that cannot be written is reported as a user error', async () => {
  const cwd = folder('unwritable');
  writeFileSync(join(cwd, 'taken'), 'mine\n');
  const refused = await inProcess(platform, ['adopt', 'gvc/shop', '--out', 'taken/shop.yaml'], { cwd });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/adopt\.files: .*taken.*shop\.yaml cannot be written/);
  expect(refused.stderr).not.toContain('report it');
});

test('after adopt --all into a folder, apply --adopt writes two tags to each record, and the plan is empty', async () => {
  const cwd = folder('yaml');
  const before = await versions();
  const outcome = await succeeded(inProcess(platform, ['adopt', '--all', '--out', 'live'], { cwd }));
  expect(outcome.stderr).toMatch(/^left out: \d+ that are built in$/m);
  expect(outcome.stderr).not.toContain('it is built in');
  expect(readdirSync(join(cwd, 'live')).sort()).toEqual([
    'domain.shop.example.com.yaml',
    'gvc.shop.yaml',
    'identity.shop.api.yaml',
    'policy.reveal.yaml',
    'secret.key.yaml',
    'secret.shop.yaml',
    'workload.shop.api.yaml',
  ]);
  expect(outcome.stderr).toMatch(/^7 of \d+ can be adopted: .* Nothing has been written to the platform\.$/m);
  expect(outcome.stderr).toContain('Next: gantry apply . --adopt\n');
  expect(await versions()).toEqual(before);

  await succeeded(inProcess(platform, ['apply', '.', '--adopt', '--yes'], { cwd }));
  await succeeded(inProcess(platform, ['plan', '.', '--detailed-exitcode'], { cwd }));
  const { body: secret } = await platform.call('GET', '/org/local/secret/key/-reveal');
  expect(objectAt(secret, 'data')).toMatchObject({ username: canary, password: `${canary}-2` });

  const again = await succeeded(inProcess(platform, ['adopt', '--all'], { cwd }));
  expect(again.stderr).toContain(
    'left out: domain/shop.example.com, gvc/shop, identity/shop/api and 4 more: it belongs to this stack already',
  );
  expect(again.stderr).toContain('There is nothing to adopt.');
  const forgotten = await inProcess(platform, ['plan', '.', '-o', 'json'], { cwd });
  for (const [id, change] of changesById(forgotten.stdout)) expect(change['action'], id).toBe('keep');
});

test('the command printed after Next works, also in a folder outside of any project', async () => {
  await platform.call('POST', '/org/local/group', { name: 'loose' });
  const cwd = mkdtempSync(join(elsewhere, 'loose-'));
  const made = await inProcess(platform, ['adopt', 'group/loose', '--stack', 'loose', '--out', 'live'], { cwd });
  const [, next = ''] = /^Next: gantry (.*)$/m.exec(made.stderr) ?? [];
  expect(next).toBe('apply live --adopt --stack loose');
  const claimed = await succeeded(inProcess(platform, [...next.split(' '), '--yes'], { cwd }));
  expect(claimed.stdout).toContain('1 adopted');
  await platform.call('DELETE', '/org/local/group/loose');
});

test('-o json has the manifests, the skipped resources with reasons, and the written files', async () => {
  await platform.call('POST', '/org/local/group', { name: 'fresh' });
  const cwd = folder('programs', 'programs');
  const { stdout, code } = await inProcess(platform, ['adopt', '--all', '-o', 'json', '--out', 'g.yaml'], { cwd });
  expect(code).toBe(0);
  const printed: unknown = JSON.parse(stdout);
  const schema: unknown = JSON.parse((await inProcess(undefined, ['schema', 'adoption'], { cwd })).stdout);
  const valid = isObject(schema) ? new Ajv2020({ strict: false }).compile(schema) : undefined;
  expect(valid?.(printed), JSON.stringify(valid?.errors)).toBe(true);
  expect(printed).toMatchObject({ manifests: [{ kind: 'group', name: 'fresh' }], files: ['g.yaml'] });
  expect(isObject(printed) ? listAt(printed, 'skipped') : []).toContainEqual({
    id: 'location/aws-us-west-2',
    because: 'it is built in',
  });
  await platform.call('DELETE', '/org/local/group/fresh');
});

test('adopted code compiles under the strictest settings, and applies with an empty plan', async () => {
  const cwd = folder('code');
  const first = await inProcess(platform, ['adopt', '--gvc', 'shop', '--all', '--format', 'ts'], { cwd: elsewhere });
  expect(first.code, first.stderr).toBe(0); // the stack `yaml` owns everything
  expect(first.stdout).toBe('');
  for (const [path, body] of records) {
    const tags = { 'gantry/stack': null, 'gantry/applied': null };
    await platform.call('PATCH', `${path}/${String(body['name'])}`, { tags });
  }
  await succeeded(inProcess(platform, ['adopt', '--all', '--format', 'ts', '--out', 'stack.ts'], { cwd }));
  const code = readFileSync(join(cwd, 'stack.ts'), 'utf8');
  expect(code).toContain("const stack = new Stack(app, 'code');");
  expect(code).toMatch(/\nexport default app;\n$/);
  expect(code).toContain("const shop = new Gvc(stack, 'shop', {");
  expect(code).toContain("new Workload(shop, 'workload-api', {");
  writeFileSync(
    join(cwd, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.json',
      compilerOptions: { paths: { gantry: [`${repository}src/index.ts`] } },
      include: ['stack.ts'],
    }),
  );
  const tsc = join(repository, 'node_modules/.bin/tsc');
  expect(execFileSync(tsc, ['-p', cwd, '--noEmit'], { encoding: 'utf8' })).toBe('');

  await succeeded(inProcess(platform, ['apply', 'stack.ts', '--adopt', '--yes'], { cwd }));
  await succeeded(inProcess(platform, ['plan', 'stack.ts', '--detailed-exitcode'], { cwd }));
});

test('no written file contains a secret value', () => {
  for (const file of filesBelow(root)) expect(readFileSync(file, 'utf8')).not.toContain(canary);
  expect(existsSync(join(root, 'code', 'stack.ts'))).toBe(true);
});

test('adopting from an org that does not exist is an error', async () => {
  const outcome = await inProcess(platform, ['adopt', '--all', '--org', 'nowhere'], { cwd: elsewhere });
  expect(outcome.code).toBe(1);
  expect(outcome.stderr).toContain('error api.not-found: the org nowhere');
  expect(outcome.stdout).toBe('');
});
