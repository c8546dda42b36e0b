import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../src/base/json/json.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { writesSince } from '../harness/platform.ts';
import { startProxy } from '../harness/proxy.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const root = temporaryFolder('refusals');
const platform = usePlatform();

const gvc = (name: string) =>
  `kind: gvc\nname: ${name}\nspec: {staticPlacement: {locationLinks: [//location/aws-us-west-2]}}\n---\n`;
const identity = (name: string, inside: string) => `kind: identity\nname: ${name}\ngvc: ${inside}\n---\n`;
const group = (name: string, more = '') => `kind: group\nname: ${name}\n${more}---\n`;
const files = (inside: string, fileSystemType: string) =>
  `kind: volumeset\nname: files\ngvc: ${inside}\nspec: {fileSystemType: ${fileSystemType}, performanceClass: general-purpose-ssd, initialCapacity: 10}\n---\n`;
const mounting = (inside: string) => `kind: workload
name: database
gvc: ${inside}
spec:
  type: stateful
  containers:
    - {name: main, image: 'a:1', cpu: 50m, memory: 128Mi, volumes: [{uri: scheme://volumeset/files, path: /f}], ports: [{number: 80, protocol: tcp}]}
  defaultOptions: {capacityAI: false}
---
`;

const running = (inside: string, as: string) => `kind: workload
name: runs
gvc: ${inside}
spec:
  type: standard
  identityLink: //identity/${as}
  containers: [{name: main, image: 'a:1', cpu: 50m, memory: 128Mi}]
  defaultOptions: {capacityAI: false}
---
`;

interface Case {
  readonly code: string;
  /** Manifests that are applied first. */
  readonly first?: string;
  /** Requests of another client after that. */
  readonly others?: () => Promise<unknown>;
  /** Manifests of the refused apply; undefined for destroy. */
  readonly then: string | undefined;
  readonly flags?: readonly string[];
  /** What the refusal names as permitting the change. */
  readonly allow?: RegExp;
  /** With these flags the command succeeds. */
  readonly allowing?: readonly string[];
}

const call = (method: string, path: string, body?: JsonObject) => platform.call(method, `/org/local${path}`, body);

// biome-ignore format: a row is a case
const cases: readonly Case[] = [
  { code: 'adopt.not-asked', others: () => call('POST', '/group', { name: 'r-adopt' }), then: group('r-adopt'),
    allow: /--adopt/, allowing: ['--adopt'] },
  { code: 'adopt.replace', others: () => call('POST', '/secret', { name: 'r-secret', type: 'opaque',
    data: { payload: 'x' } }), then: 'kind: secret\nname: r-secret\ntype: userpass\ndata: {username: u, password: p}\n',
    flags: ['--adopt'], allow: /lifecycle\.replace: true/ },
  { code: 'owner.other',
    others: () => call('POST', '/group', { name: 'r-other', tags: { 'gantry/stack': 'somebody' } }),
    then: group('r-other'), flags: ['--adopt'], allow: /lifecycle\.adopt: \{from: somebody\}/ },
  { code: 'reference.missing',
    then: gvc('r-missing').replace('spec: {', 'spec: {pullSecretLinks: [//secret/r-absent], ') },
  { code: 'delete.protected', first: group('r-protected', 'lifecycle: {protect: true}\n'), then: undefined,
    allow: /lifecycle\.protect: false/ },
  { code: 'delete.bystander', first: gvc('r-crowded'), others: () => Promise.all(['a',
    'b'].map((name) => call('POST', '/gvc/r-crowded/identity', { name: `theirs-${name}` }))), then: undefined,
    flags: ['--allow-collateral=1'], allow: /--allow-collateral=2/, allowing: ['--allow-collateral=2'] },
  { code: 'delete.data', first: gvc('r-data') + files('r-data', 'ext4') + mounting('r-data'), then: undefined,
    flags: ['--allow-data-loss=2'], allow: /--allow-data-loss=1/, allowing: ['--allow-data-loss=1'] },
  { code: 'replace.data', first: gvc('r-replace') + files('r-replace', 'ext4'),
    then: gvc('r-replace') + files('r-replace', 'xfs'), allow: /lifecycle\.replace: true/ },
  { code: 'delete.referenced', first: gvc('r-held') + identity('r-who', 'r-held') + running('r-held', 'r-who'),
    then: gvc('r-held') + running('r-held', 'r-who') },
  { code: 'delete.too-many', first: Array.from({ length: 12 }, (_, index) => group(`r-many-${index}`)).join(''),
    then: group('r-many-0'), allow: /--max-deletes=11/, allowing: ['--max-deletes=11'] },
  { code: 'stack.empty', first: group('r-empty'), then: '', allow: /--allow-empty/, allowing: ['--allow-empty'] },
];

/** A project folder with this manifest, or without any if it is empty. */
function project(code: string, manifest: string): string {
  const folder = join(root, code);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, 'gantry.yaml'), `stack: ${code.replace('.', '-')}\n`);
  if (manifest !== '') writeFileSync(join(folder, 'all.yaml'), manifest);
  return folder;
}

/** Every refusal of a plan in JSON, of its changes and of the whole plan. */
function refusalsOf(text: string): readonly JsonObject[] {
  const plan: { readonly changes: readonly JsonObject[]; readonly refusals: readonly JsonObject[] } = JSON.parse(text);
  const all = [...plan.refusals, ...plan.changes.flatMap(({ refusals }) => (Array.isArray(refusals) ? refusals : []))];
  return all.filter(isObject);
}

test.each(cases)('$code: exit 3, nothing is written, and the refusal names what permits it', async (refused) => {
  const { code, first, others, then, flags = [], allow, allowing } = refused;
  let cwd = project(code, first ?? '');
  if (first !== undefined) {
    await succeeded(inProcess(platform, ['apply', '.', '--yes'], { cwd }));
  }
  await others?.();
  cwd = project(code, then ?? '');
  const verb = then === undefined ? ['destroy'] : ['apply', '.'];

  const from = await platform.seen();
  const text = await inProcess(platform, [...verb, '--yes', ...flags], { cwd });
  expect(text.code, text.stdout + text.stderr).toBe(3);
  expect(text.stdout).toContain(`refused ${code}: `);
  if (allow !== undefined) expect(text.stdout).toMatch(allow);

  const json = await inProcess(platform, [...verb, '--yes', '-o', 'json', ...flags], { cwd });
  expect(json.code).toBe(3);
  const found = refusalsOf(json.stdout).filter((refusal) => refusal['code'] === code);
  expect(found.length).toBeGreaterThan(0);
  for (const refusal of found) {
    expect(refusal['message']).toMatch(/./);
    if (allow === undefined) expect(refusal).not.toHaveProperty('allow');
    else expect(refusal['allow']).toMatch(allow);
  }
  if (then !== undefined) expect((await inProcess(platform, ['plan', '.', ...flags], { cwd })).code).toBe(3);
  await platform.seen();
  expect(writesSince(platform, from)).toEqual([]);

  if (allowing === undefined) return;
  await succeeded(inProcess(platform, [...verb, '--yes', ...allowing], { cwd }));
});

test('delete.closure-unknown: if the content of a GVC cannot be listed, nothing is deleted', async () => {
  const cwd = project('closure', gvc('r-closed'));
  expect((await inProcess(platform, ['apply', '.', '--yes'], { cwd })).code).toBe(0);
  const proxy = await startProxy(platform.url, ({ method, path }) =>
    method === 'GET' && path.startsWith('/org/local/gvc/r-closed/volumeset') ? { status: 403 } : 'pass',
  );
  const flags = ['--allow-collateral=9', '--allow-data-loss=9'];
  const refused = await inProcess({ ...platform, url: proxy.url }, ['destroy', '--yes', ...flags], { cwd });
  expect(refused.code).toBe(3);
  expect(refused.stdout).toContain('refused delete.closure-unknown: ');
  expect(proxy.seen.filter(({ isWrite }) => isWrite)).toEqual([]);
  await proxy.close();
});
