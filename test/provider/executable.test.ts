import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { providerBlock } from '../../src/hcl/schema/providerBlock.ts';
import { dataSourceSchema, providerSchema } from '../../src/hcl/schema/providerSchema.ts';
import { makeCertificate } from '../../src/provider/host/certificate.ts';
import { schemaResponse } from '../../src/provider/protocol/schemaMessages.ts';
import { readObject, writeObject } from '../../src/provider/protocol/values.ts';
import { codecOf } from '../../src/provider/protocol/wire.ts';
import { resourceTypeNamed } from '../../src/provider/services/types.ts';
import { type RunningServer, startServer } from '../../src/server/start.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { connectProvider, type ProviderClient, pemOf } from './harness/providerClient.ts';

const built = new URL('../../dist/terraform-provider/', import.meta.url).pathname;
const cookie = { TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2' };
const resourceCount = Object.keys(providerSchema().resources).length;
const { attributes: group } = resourceTypeNamed('gantry_group');

/** The first line on standard output. */
function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    child.stdout?.on('data', (data) => {
      text += String(data);
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.once('close', () => resolve(text));
  });
}

/** Terraform's way of starting it, from a copy in a project of modules; each call of the protocol is made once. */
describe('the executable', () => {
  const folder = temporaryFolder('provider');
  const mirror = join(folder, 'mirror');
  const own = makeCertificate(new Date());
  let platform: RunningServer;
  let child: ChildProcess;
  let client: ProviderClient;
  let socket: string;
  beforeAll(async () => {
    platform = await startServer({ port: 0, noAuth: true });
    await mkdir(mirror);
    await writeFile(join(folder, 'package.json'), '{"type": "module"}');
    await cp(built, mirror, { recursive: true });
    child = spawn(join(mirror, 'terraform-provider-gantry'), {
      cwd: folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        ...cookie,
        PLUGIN_PROTOCOL_VERSIONS: '5,6',
        PLUGIN_CLIENT_CERT: own.certificate,
        PLUGIN_UNIX_SOCKET_DIR: folder,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [core, protocol, network, address = '', kind, der = ''] = (await firstLine(child)).split('|');
    expect([core, protocol, network, kind]).toEqual(['1', '6', 'unix', 'grpc']);
    socket = address;
    client = connectProvider({ network: 'unix', address }, { server: pemOf(der), own });
  });
  afterAll(async () => {
    client.close();
    child.kill('SIGKILL');
    await platform.close();
  });

  it('contains every file that the embedded platform loads: here, the sandbox for expressions of groups', async () => {
    const worker = new Worker(join(mirror, 'parts/choiceWorker.mjs'));
    const answers: unknown[] = [];
    const record = JSON.stringify({ groups: ['a'] });
    await new Promise((resolve, reject) => {
      worker.on('error', reject);
      worker.on('message', (message: unknown) => {
        answers.push(message);
        if (message === 'ready') {
          worker.postMessage({ id: 1, language: 'jmespath', expression: "contains(groups, 'a')", record });
          worker.postMessage({ id: 2, language: 'javascript', expression: '(', record });
        }
        if (answers.length === 3) resolve(undefined);
      });
    });
    await worker.terminate();
    expect(answers).toEqual(['ready', { id: 1, chosen: true }, { id: 2, chosen: false }]);
  });

  it('ignores Ctrl-C, which Terraform handles', async () => {
    child.kill('SIGINT');
    expect((await client.call('GetMetadata', {})).resources).toHaveLength(resourceCount);
  });

  it('returns a schema of all resources, announces plans of deletions, and reads the schema only once', async () => {
    const schema = await client.call('GetProviderSchema', {});
    expect(Object.keys(schema.resource_schemas ?? {})).toHaveLength(resourceCount);
    expect(schema.data_source_schemas).toHaveProperty('gantry_workloads');
    expect(schema.server_capabilities).toMatchObject({ plan_destroy: true, get_provider_schema_optional: true });
    const { decode, encode } = codecOf('GetProviderSchema.Response');
    expect(schema, 'as the build has prepared it').toEqual(decode(encode(schemaResponse(providerSchema()))));
    expect(Object.keys((await client.call('GetFunctions', {})).functions ?? {})).toEqual([
      'link',
      'parse_link',
      'quantity',
    ]);
  });

  it('refuses to work before it is configured, and names the missing settings', async () => {
    const state = writeObject({ name: 'ops' }, group);
    const early = await client.call('ReadResource', { type_name: 'gantry_group', current_state: state });
    expect(early.diagnostics?.[0]?.summary).toBe('The provider has no usable settings');
    const { diagnostics } = await client.call('ConfigureProvider', {
      config: writeObject({}, providerBlock.attributes),
    });
    expect(diagnostics?.map(({ summary, attribute }) => [summary, attribute?.steps?.[0]?.attribute_name])).toEqual([
      ['No platform is set', 'endpoint'],
      ['No org is set', 'org'],
    ]);
  });

  it('names the wrong value in the provider block', async () => {
    const block = { endpoint: 'platform', max_risk: 'high', max_concurrency: 0, token: 't', token_file: 'f' };
    const config = writeObject(block, providerBlock.attributes);
    const { diagnostics } = await client.call('ValidateProviderConfig', { config });
    expect(diagnostics?.map(({ attribute }) => attribute?.steps?.[0]?.attribute_name).sort()).toEqual([
      'endpoint',
      'max_concurrency',
      'max_risk',
      'token_file',
    ]);
  });

  it('plans, applies, reads, upgrades, moves, imports and deletes', async () => {
    const block = { endpoint: platform.url, org: 'local' };
    expect(await client.call('ConfigureProvider', { config: writeObject(block, providerBlock.attributes) })).toEqual(
      {},
    );
    const type = { type_name: 'gantry_group' };
    const config = writeObject({ name: 'ops', tags: { by: 'tests' } }, group);
    expect((await client.call('ValidateResourceConfig', { ...type, config })).diagnostics ?? []).toEqual([]);
    expect(await client.call('ValidateDataResourceConfig', { ...type, config })).toEqual({});

    const none = writeObject(undefined, group);
    const planned = await client.call('PlanResourceChange', {
      ...type,
      config,
      prior_state: none,
      proposed_new_state: config,
    });
    expect(planned.diagnostics ?? []).toEqual([]);
    const applied = await client.call('ApplyResourceChange', {
      ...type,
      config,
      prior_state: none,
      planned_state: planned.planned_state ?? none,
    });
    expect(applied.diagnostics ?? []).toEqual([]);
    const state = applied.new_state ?? none;
    expect(readObject(state, group)).toMatchObject({
      name: 'ops',
      tags: { by: 'tests' },
      link: '/org/local/group/ops',
    });

    const read = await client.call('ReadResource', { ...type, current_state: state });
    expect(readObject(read.new_state, group)).toEqual(readObject(state, group));
    const raw = { json: Buffer.from(JSON.stringify(readObject(state, group))) };
    const upgraded = await client.call('UpgradeResourceState', { ...type, version: 0, raw_state: raw });
    expect(readObject(upgraded.upgraded_state, group)).toEqual(readObject(state, group));
    const move = { source_type_name: 'gantry_group', target_type_name: 'gantry_group', source_state: raw };
    expect(readObject((await client.call('MoveResourceState', move)).target_state, group)).toMatchObject({
      name: 'ops',
    });
    const wrong = await client.call('MoveResourceState', { ...move, source_type_name: 'other_team' });
    expect(wrong.diagnostics?.[0]?.summary).toContain('cannot become a gantry_group');

    const imported = await client.call('ImportResourceState', { ...type, id: 'ops' });
    expect(readObject(imported.imported_resources?.[0]?.state, group)).toMatchObject({ name: 'ops', id: null });
    const linked = await client.call('ImportResourceState', { ...type, id: '//group/ops' });
    expect(linked.imported_resources).toEqual(imported.imported_resources);
    for (const id of ['', 'shop/ops', 'a/b/c', '//gvc/ops', '/org/other/group/ops', '//gvc/shop/workload/ops']) {
      const { diagnostics } = await client.call('ImportResourceState', { ...type, id });
      expect(diagnostics?.[0]?.summary).toContain('is not a valid ID to import a group');
    }
    const data = dataSourceSchema('group').attributes;
    const found = await client.call('ReadDataSource', { ...type, config: writeObject({ name: 'ops' }, data) });
    expect(readObject(found.state, data)).toMatchObject({ tags: { by: 'tests' } });
    const missing = await client.call('ReadDataSource', { ...type, config: writeObject({ name: 'none' }, data) });
    expect(missing.diagnostics?.[0]?.summary).toContain('group/none does not exist in the org local');

    const removal = await client.call('PlanResourceChange', {
      ...type,
      config: none,
      prior_state: state,
      proposed_new_state: none,
    });
    expect(removal.diagnostics ?? []).toEqual([]);
    const removed = await client.call('ApplyResourceChange', {
      ...type,
      prior_state: state,
      planned_state: none,
      config: none,
    });
    expect(removed.diagnostics ?? []).toEqual([]);
    expect(readObject(removed.new_state, group)).toBeUndefined();
    const gone = await client.call('ReadResource', { ...type, current_state: state });
    expect(readObject(gone.new_state, group)).toBeUndefined();
  });

  it('begins no new request after StopProvider, ends on request, and leaves no file', async () => {
    expect(await client.call('StopProvider', {})).toEqual({});
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // Terraform does not read the answer, and the process may end before it is sent.
    const asked = client.callPath('/plugin.GRPCController/Shutdown', ['Empty', 'Empty'], {});
    const [code] = await Promise.all([ended, Promise.allSettled([asked])]);
    expect(code).toBe(0);
    expect(existsSync(dirname(socket))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.startsWith('gantry-provider-'))).toEqual([]);
  });
});

it.each(['module', 'commonjs'])('starts in a project whose package.json contains %s', async (type) => {
  const project = mkdtempSync(join(tmpdir(), 'gantry-provider-project-'));
  try {
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type }));
    await cp(built, join(project, 'mirror'), { recursive: true });
    const file = join(project, 'mirror/terraform-provider-gantry_v1.2.3');
    renameSync(join(project, 'mirror/terraform-provider-gantry'), file);
    const child = spawn(file, { env: { PATH: process.env['PATH'] ?? '' } });
    expect(await firstLine(child)).toContain('Terraform and OpenTofu start it by themselves');
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
});

it('says what it is if a person starts it', async () => {
  const child = spawn(join(built, 'terraform-provider-gantry'), { env: { PATH: process.env['PATH'] ?? '' } });
  expect(await firstLine(child)).toContain('Terraform and OpenTofu start it by themselves');
});

it('says if there is no Node on the PATH', async () => {
  const child = spawn('/bin/sh', [join(built, 'terraform-provider-gantry')], { env: { PATH: '/no-such-folder' } });
  expect(await firstLine(child)).toBe(
    'The Gantry provider needs Node 22.19 or newer on the PATH, and there is no node',
  );
});
