import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../../../src/base/json/json.ts';
import { temporaryFolder } from '../../../temporaryFolder.ts';
import { inProcess } from '../../harness/inProcess.ts';
import { usePlatform } from '../../harness/usePlatform.ts';

const root = temporaryFolder('drift');
const schema = JSON.parse(readFileSync(new URL('../../../../dist/schemas/drift.json', import.meta.url), 'utf8'));
const validDrift = new Ajv2020({ strict: false }).compile(schema);
const canary = 'CANARY-drift-90ab';
const names = ['kept', 'moved', 'gone', 'lost', 'bare', 'taken', 'unrecorded'] as const;
const platform = usePlatform();
let folder: string;

const cli = (cwd: string, ...args: readonly string[]) => inProcess(platform, args, { cwd });
const group = (name: string) => `kind: group\nname: ${name}\ndescription: ours\n---\n`;
const secret = `kind: secret\nname: key\ntype: opaque\ndata: {payload: ${canary}}\n`;
const patch = (name: string, body: JsonObject) => platform.call('PATCH', `/org/local/group/${name}`, body);

/** The resources of the drift document, by id. */
async function drift(cwd: string, ...args: readonly string[]): Promise<ReadonlyMap<string, JsonObject>> {
  const { stdout, stderr, code } = await cli(cwd, 'drift', ...args, '-o', 'json');
  expect(code, stderr).toBe(0);
  const document: unknown = JSON.parse(stdout);
  expect(validDrift(document), JSON.stringify(validDrift.errors)).toBe(true);
  const resources = isObject(document) ? listAt(document, 'resources').filter(isObject) : [];
  return new Map(resources.map((resource) => [stringAt(resource, 'id') ?? '', resource]));
}

async function auditReads(run: () => Promise<unknown>): Promise<readonly string[]> {
  const from = await platform.seen();
  await run();
  await platform.seen();
  return platform.requests
    .slice(from)
    .map(({ path }) => path)
    .filter((path) => path.startsWith('/audit/') || path.endsWith('/-reveal'));
}

beforeAll(async () => {
  folder = join(root, 'drifting');
  mkdirSync(folder);
  writeFileSync(join(folder, 'gantry.yaml'), 'stack: drifting\n');
  writeFileSync(join(folder, 'all.yaml'), names.map(group).join('') + secret);
  const { code, stderr } = await cli(folder, 'apply', '.', '--yes');
  expect(code, stderr).toBe(0);
});

test('right after an apply there is no drift, and the audit trail is not read', async () => {
  const reads = await auditReads(async () => {
    const { code, stdout } = await cli(folder, 'drift', '.', '--detailed-exitcode');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^No drift: 8 unchanged\. Requests: \d+\.$/m);
  });
  expect(reads).toEqual([]);
});

test('every kind of change by others is reported with its author', async () => {
  await patch('moved', { description: 'first' });
  await patch('moved', { description: 'second', tags: { team: 'x' } });
  await platform.call('DELETE', '/org/local/group/gone');
  await patch('lost', { tags: { 'gantry/stack': null } });
  await patch('bare', { tags: { 'gantry/stack': null, 'gantry/applied': null } });
  await patch('taken', { tags: { 'gantry/stack': 'bank' } });
  await patch('unrecorded', { tags: { 'gantry/applied': null } });
  await platform.call('PATCH', '/org/local/secret/key', {
    '$replace/data': { payload: `${canary}-2`, encoding: 'plain' },
  });
  const { tags } = (await platform.call('GET', '/org/local/group/kept')).body;
  await platform.call('POST', '/org/local/group', { name: 'cloned', tags: isObject(tags) ? tags : {} });

  const found = await drift(folder, '.');
  expect(Object.fromEntries([...found].map(([id, { state }]) => [id, state]))).toEqual({
    'group/bare': 'owner-lost',
    'group/cloned': 'copy',
    'group/gone': 'deleted',
    'group/kept': 'untouched',
    'group/lost': 'owner-lost',
    'group/moved': 'touched',
    'group/taken': 'other-owner',
    'group/unrecorded': 'unrecorded',
    'secret/key': 'touched',
  });
  const moved = found.get('group/moved') ?? {};
  expect(moved).toMatchObject({ version: 3, recordedVersion: 1 });
  expect(listAt(moved, 'writes')).toMatchObject([
    { version: 3, by: { name: 'admin@example.com', type: 'user' } },
    { version: 2, fields: [{ path: 'description', old: 'ours', new: 'first' }] },
  ]);
  expect(listAt(moved, 'fields')).toMatchObject([{ path: 'description', old: 'ours', new: 'second' }]);
  expect(listAt(moved, 'leftAlone')).toMatchObject([{ path: 'tags.team', new: 'x' }]);
  for (const [id, resource] of found) {
    if (id === 'group/kept') continue;
    const writers = listAt(resource, 'writes')
      .filter(isObject)
      .map((write) => stringAt(objectAt(write, 'by'), 'name'));
    expect(new Set(writers), id).toEqual(new Set(['admin@example.com']));
  }
});

test('drift reads one audit trail for each changed resource, and the value of the changed secret', async () => {
  const reads = await auditReads(() => cli(folder, 'drift', '.'));
  expect(reads.length).toBe(9);
  expect(reads.filter((path) => !path.startsWith('/audit/'))).toEqual(['/org/local/secret/key/-reveal']);
});

test('changes that no apply would undo are listed separately, do not set the exit code, and plan is empty', async () => {
  const cwd = join(root, 'leaving');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'gantry.yaml'), 'stack: leaving\n');
  writeFileSync(
    join(cwd, 'all.yaml'),
    `${group('left')}${group('ignoring').replace('---', 'lifecycle: {ignore: [description]}\n---')}${secret.replace('key', 'left-key')}`,
  );
  expect((await cli(cwd, 'apply', '.', '--yes')).code).toBe(0);
  await patch('left', { tags: { theirs: 'x' } });
  await patch('ignoring', { description: 'theirs' });
  await platform.call('PATCH', '/org/local/secret/left-key', { tags: { theirs: 'x' } });

  const { code, stdout } = await cli(cwd, 'drift', '.', '--detailed-exitcode');
  expect(stdout).toContain('Left alone: others changed this, and no apply undoes it');
  expect(stdout).toMatch(/^No drift: 3 left alone\./m);
  expect(code).toBe(0);
  expect((await cli(cwd, 'plan', '.', '--detailed-exitcode')).code).toBe(0);
  const found = await drift(cwd, '.');
  expect([...found].map(([id, { state }]) => [id, state])).toEqual([
    ['group/ignoring', 'left-alone'],
    ['group/left', 'left-alone'],
    ['secret/left-key', 'left-alone'],
  ]);

  await patch('left', { description: 'theirs' });
  expect((await cli(cwd, 'drift', '.', '--detailed-exitcode')).code).toBe(2);
});

test('the text output has changes, authors and counts; --detailed-exitcode ends with 2', async () => {
  const { code, stdout } = await cli(folder, 'drift', '.', '--detailed-exitcode');
  expect(code).toBe(2);
  expect(stdout).toMatch(/ ~ group\/moved \(version 3, this stack wrote 1\)\n +written by others$/m);
  expect(stdout).toMatch(/version 3: changed by admin@example\.com \(user\) at \S+\n/);
  expect(stdout).toMatch(/ - group\/gone\n +deleted by others; the next apply creates it again$/m);
  expect(stdout).toMatch(/ ! group\/taken .*\n +now owned by another stack: bank$/m);
  expect(stdout).toMatch(
    /^Drift: 1 unchanged, 2 changed by others, 1 without a record, 1 cloned, 2 owner-lost, 1 of other owners, 1 deleted\./m,
  );
  expect(stdout).not.toContain(canary);
  expect((await cli(folder, 'drift', '.')).code).toBe(0);
  expect((await cli(folder, 'drift', 'absent.yaml')).code).toBe(1);
});

test('without manifests, --stack finds the tagged resources, and none is called orphaned', async () => {
  const found = await drift(root, '--stack', 'drifting');
  expect([...found.keys()]).toEqual(['group/cloned', 'group/kept', 'group/moved', 'group/unrecorded', 'secret/key']);
  expect((await cli(root, 'drift', '--stack', 'drifting')).stdout).toContain('No manifests were read');
});

test('without a path the manifests of the current folder are read, even outside of a project', async () => {
  const cwd = join(root, 'loose');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'gone.yaml'), group('gone'));
  const { stdout } = await cli(cwd, 'drift', '--stack', 'drifting');
  expect(stdout).not.toContain('No manifests were read');
  expect(stdout).toMatch(/ - group\/gone\n +deleted/);
  rmSync(cwd, { recursive: true });
});

test('a resource that is no longer declared is orphaned, even if unchanged', async () => {
  writeFileSync(join(folder, 'all.yaml'), group('moved'));
  const found = await drift(folder, '.');
  expect(found.get('group/kept')).toMatchObject({ state: 'untouched', orphaned: true });
  expect(found.get('group/moved')).toMatchObject({ state: 'touched', orphaned: false });
});

test('if the audit trail cannot be read, the authors are unknown', async () => {
  await platform.call('POST', '/org/local/serviceaccount', { name: 'viewer' });
  await platform.call('POST', '/org/local/policy', {
    name: 'viewer',
    targetKind: 'group',
    target: 'all',
    bindings: [{ permissions: ['view'], principalLinks: ['//serviceaccount/viewer'] }],
  });
  const { body } = await platform.call('POST', '/org/local/serviceaccount/viewer/-addKey', { description: 'test' });
  const found = await drift(folder, '.', '--token', String(body['key']));
  expect(found.get('group/moved')).toMatchObject({ state: 'touched', writes: null, fields: null });
});

test('an apply restores ownership of declared resources', async () => {
  expect((await cli(folder, 'apply', '.', '--yes')).code).toBe(0);
  const found = await drift(folder, '.');
  expect(found.get('group/moved')).toMatchObject({ state: 'untouched', orphaned: false });
  expect([...found.keys()]).toEqual(['group/cloned', 'group/moved', 'group/unrecorded']);
});
