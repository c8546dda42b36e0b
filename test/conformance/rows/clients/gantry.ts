import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { lastSegment } from '../../../../src/schema/record/ref.ts';
import { zooWords } from '../../../e2e/client/zooWords.ts';
import { inProcess } from '../../../e2e/harness/inProcess.ts';
import { zoo } from '../../../e2e/scenarios/access/16-secret-zoo.ts';
import { makeCaller, makeGvc, makeIdentity, makeWorkload, specOf } from '../../harness/fixtures.ts';
import { at, itemsAt } from '../../harness/place.ts';
import { type Row, row } from '../../harness/row.ts';
import type { Wire } from '../../harness/wire.ts';

/** A folder for one command line. Rows have none of their own: several files of tests run them, one after the other. */
async function inFolder<T>(work: (cwd: string) => Promise<T>): Promise<T> {
  const cwd = await mkdtemp(join(tmpdir(), 'gantry-conformance-'));
  try {
    return await work(cwd);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

/** For `edit`. */
const editor = "sed -i 's/^description: .*/description: edited/'";

/** Runs gantry against the platform of the row; what it printed as JSON. */
function gantry(wire: Wire, line: string, input = ''): Promise<JsonObject> {
  return gantryWith(wire, line.split(' '), input);
}

async function gantryWith(wire: Wire, args: readonly string[], input = ''): Promise<JsonObject> {
  const env = { GANTRY_ENDPOINT: wire.url, GANTRY_TOKEN: 'secret-token', GANTRY_ORG: 'local', EDITOR: editor };
  const run = (cwd: string) => inProcess(undefined, [...args, '-o', 'json'], { cwd, env, input });
  const { code, stdout, stderr } = await inFolder(run);
  expect(code, `gantry ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
  return JSON.parse(stdout);
}

async function namesOf(wire: Wire, line: string): Promise<readonly unknown[]> {
  return itemsAt(await gantry(wire, line), 'items').map(({ name }) => name);
}

/** A GVC with a location, which no other row uses. */
function ownTown(wire: Wire): Promise<string> {
  return makeGvc(wire, { staticPlacement: { locationLinks: ['//location/aws-us-west-2'] } });
}

/** The newest run of a cron workload. */
async function executionOf(wire: Wire, path: string): Promise<JsonObject | undefined> {
  const [deployment] = itemsAt(await wire.get(`${path}/deployment`), 'items');
  return itemsAt(at(deployment, 'status'), 'jobExecutions')[0];
}

/** A task for the owner of the platform. */
async function taskOf(wire: Wire): Promise<string> {
  const created = await wire.ok('POST', 'task/-simulate', { targetEmail: 'admin@example.com', description: 'join' });
  return String(created['id']);
}

/** The commands of the client, run by our own one: each has the effect that is stated (platform/clients.operations). */
export const gantryRows: readonly Row[] = [
  row('clients/gantry get', 'get: all, one, several', async (wire) => {
    const [one, two] = [await makeGvc(wire), await makeGvc(wire)];
    expect(await namesOf(wire, 'gvc get')).toEqual(expect.arrayContaining([one, two]));
    expect(await gantry(wire, `gvc get ${one}`)).toEqual(await wire.get(`gvc/${one}`));
    expect(await namesOf(wire, `gvc get ${one} //gvc/${two}`)).toEqual([one, two]);
  }),
  row('clients/gantry query', 'query: --match, --property, --tag, --rel', async (wire) => {
    const [a, b] = [wire.name('query'), wire.name('query')];
    for (const name of [a, b]) await wire.ok('POST', 'gvc', { name, tags: { who: name } });
    expect(await namesOf(wire, `gvc query --tag who=${a}`)).toEqual([a]);
    expect(await namesOf(wire, `gvc query --property name=${b} --tag who`)).toEqual([b]);
    const any = await namesOf(wire, `gvc query --match any --tag who=${a} --property name=${b}`);
    expect(any.toSorted()).toEqual([a, b].toSorted());
    const gvc = await ownTown(wire);
    const identity = lastSegment(await makeIdentity(wire, gvc));
    expect(await namesOf(wire, `identity query --rel gvc=${gvc}`)).toEqual([identity]);
    expect(await namesOf(wire, `identity query --gvc ${gvc}`)).toEqual([identity]);
  }),
  row('clients/gantry create', 'create of a GVC: --name, --location, --env, --tag, --description', async (wire) => {
    const name = wire.name('made');
    await gantry(wire, `gvc create --name ${name} --location aws-us-west-2 --env A=b --tag n=5 --description d`);
    expect(await wire.get(`gvc/${name}`)).toMatchObject({
      description: 'd',
      tags: { n: 5 },
      spec: {
        staticPlacement: { locationLinks: ['/org/local/location/aws-us-west-2'] },
        env: [{ name: 'A', value: 'b' }],
      },
    });
  }),
  row('clients/gantry clone', 'clone: the spec under another name', async (wire) => {
    const [gvc, name] = [await makeGvc(wire, { env: [{ name: 'A', value: 'b' }] }), wire.name('clone')];
    await gantry(wire, `gvc clone ${gvc} --name ${name}`);
    expect((await wire.get(`gvc/${name}`))['spec']).toEqual((await wire.get(`gvc/${gvc}`))['spec']);
  }),
  row('clients/gantry patch', 'patch: --file as JSON or YAML, - is standard input', async (wire) => {
    const gvc = await makeGvc(wire);
    await gantry(wire, `gvc patch ${gvc} --file -`, '{"description": "json"}');
    expect(await wire.get(`gvc/${gvc}`)).toMatchObject({ description: 'json', version: 2 });
    await gantry(wire, `gvc patch ${gvc} --file -`, 'description: yaml');
    expect(await wire.get(`gvc/${gvc}`)).toMatchObject({ description: 'yaml', version: 3 });
  }),
  row(
    'clients/gantry update',
    'update: values of the types of the schema, under the version that was read',
    async (wire) => {
      const gvc = await ownTown(wire);
      const path = await makeWorkload(wire, gvc, specOf('standard'));
      const name = lastSegment(path);
      await gantry(
        wire,
        `workload update ${name} --gvc ${gvc} --set spec.defaultOptions.timeoutSeconds=7 --set tags.a=b`,
      );
      const after = await wire.get(path);
      expect(at(after, 'spec/defaultOptions/timeoutSeconds')).toBe(7);
      expect(after).toMatchObject({ tags: { a: 'b' }, version: 2 });
      await gantry(wire, `workload update ${name} --gvc ${gvc} --unset tags.a`);
      expect((await wire.get(path))['tags']).toEqual({});
    },
  ),
  row('clients/gantry edit', 'edit: a PATCH of what was changed in the editor; with --replace a PUT', async (wire) => {
    const [one, two] = [await makeGvc(wire), await makeGvc(wire)];
    await gantry(wire, `gvc edit ${one}`);
    await gantry(wire, `gvc edit ${two} --replace`);
    for (const gvc of [one, two]) {
      expect(await wire.get(`gvc/${gvc}`)).toMatchObject({ description: 'edited', version: 2 });
    }
  }),
  row('clients/gantry tag', 'tag: sets and removes tags', async (wire) => {
    const name = wire.name('tag');
    await wire.ok('POST', 'gvc', { name, tags: { old: 'x', kept: 'y' } });
    await gantry(wire, `gvc tag ${name} --tag new=1 --remove-tag old`);
    expect((await wire.get(`gvc/${name}`))['tags']).toEqual({ kept: 'y', new: 1 });
  }),
  row(
    'clients/gantry delete',
    'delete: of several, one after the other; --force of a GVC empties it first',
    async (wire) => {
      const [one, two] = [await makeGvc(wire), await ownTown(wire)];
      await makeWorkload(wire, two, specOf('standard'));
      await makeIdentity(wire, two);
      await gantry(wire, `gvc delete ${one} --yes`);
      await gantry(wire, `gvc delete ${two} --force --yes`);
      for (const gvc of [one, two]) expect((await wire.call('GET', `gvc/${gvc}`)).status).toBe(404);
    },
  ),
  row('clients/gantry permissions', 'permissions: what the schema of the kind lists', async (wire) => {
    expect(await gantry(wire, 'gvc permissions')).toEqual(await wire.get('gvc/-schema/permissions'));
  }),
  row('clients/gantry access-report', 'access-report: that of the record', async (wire) => {
    const gvc = await makeGvc(wire);
    expect(await gantry(wire, `gvc access-report ${gvc}`)).toMatchObject({ kind: 'accessreport' });
  }),
  row('clients/gantry eventlog', 'eventlog: a list of events', async (wire) => {
    const gvc = await makeGvc(wire);
    expect(await gantry(wire, `gvc eventlog ${gvc}`)).toMatchObject({ kind: 'list', itemKind: 'event' });
  }),
  row('clients/gantry audit', 'audit: of a record; --subject, --context and the window choose', async (wire) => {
    const gvc = await makeGvc(wire);
    await gantry(wire, `gvc tag ${gvc} --tag a=b`);
    const types = async (more: string) =>
      itemsAt(await gantry(wire, `gvc audit ${gvc} --from 2000-01-01 ${more}`.trim()), 'items').map((event) =>
        at(event, 'action/type'),
      );
    expect(await types('')).toEqual(['edit', 'create']);
    expect(await types('--subject admin@example.com')).toEqual(['edit', 'create']);
    const idle = wire.name('idle');
    await wire.ok('POST', 'serviceaccount', { name: idle });
    expect(await types(`--subject ${idle}`)).toEqual([]);
    expect(await types('--to 2000-01-02')).toEqual([]);
    await wire.ok('POST', 'auditctx', { name: wire.name('context') });
    expect(await gantry(wire, 'auditctx audit scheme')).toMatchObject({ itemKind: 'auditEvent' });
  }),
  row('clients/gantry gvc locations', 'gvc add-location, remove-location, delete-all-workloads', async (wire) => {
    const gvc = await ownTown(wire);
    const before = at(await wire.get(`gvc/${gvc}`), 'spec/staticPlacement/locationLinks');
    await gantry(wire, `gvc add-location ${gvc} --location aws-eu-central-1`);
    const added = at(await wire.get(`gvc/${gvc}`), 'spec/staticPlacement/locationLinks');
    expect(added).toEqual([...(Array.isArray(before) ? before : []), '/org/local/location/aws-eu-central-1']);
    await gantry(wire, `gvc remove-location ${gvc} --location aws-eu-central-1`);
    expect(at(await wire.get(`gvc/${gvc}`), 'spec/staticPlacement/locationLinks')).toEqual(before);
    const path = await makeWorkload(wire, gvc, specOf('standard'));
    await gantry(wire, `gvc delete-all-workloads ${gvc} --yes`);
    expect((await wire.call('GET', path)).status).toBe(404);
  }),
  row(
    'clients/gantry ipset',
    'ipset create --location with retention; add-, update-, remove-location',
    async (wire) => {
      const name = wire.name('ips');
      const locations = async () =>
        itemsAt(at(await wire.get(`ipset/${name}`), 'spec'), 'locations').map((item) => [
          item['name'],
          item['retentionPolicy'],
        ]);
      const link = (location: string) => `/org/local/location/${location}`;
      await gantry(wire, `ipset create --name ${name} --location aws-us-west-2,free`);
      await gantry(wire, `ipset add-location ${name} --location aws-eu-central-1`);
      expect(await locations()).toEqual([
        [link('aws-us-west-2'), 'free'],
        [link('aws-eu-central-1'), 'keep'],
      ]);
      await gantry(wire, `ipset update-location ${name} --location aws-us-west-2,keep`);
      await gantry(wire, `ipset remove-location ${name} --location aws-eu-central-1`);
      expect(await locations()).toEqual([[link('aws-us-west-2'), 'keep']]);
    },
  ),
  row('clients/gantry group', 'group create --query-…; add-member, remove-member', async (wire) => {
    const name = wire.name('group');
    const { link } = await makeCaller(wire);
    const account = lastSegment(link);
    await gantry(wire, `group create --name ${name} --query-property email=ann@example.com --query-match any`);
    expect(at(await wire.get(`group/${name}`), 'memberQuery/spec')).toMatchObject({
      match: 'any',
      terms: [{ op: '=', property: 'email', value: 'ann@example.com' }],
    });
    await gantry(wire, `group add-member ${name} --email bob@example.com --serviceaccount ${account}`);
    const members = (await wire.get(`group/${name}`))['memberLinks'];
    expect(members).toHaveLength(2);
    expect(members).toContain(link);
    await gantry(wire, `group remove-member ${name} --serviceaccount ${account}`);
    expect((await wire.get(`group/${name}`))['memberLinks']).not.toContain(link);
  }),
  row('clients/gantry serviceaccount', 'serviceaccount add-key --description, remove-key', async (wire) => {
    const name = wire.name('bot');
    await gantry(wire, `serviceaccount create --name ${name}`);
    const made = await gantry(wire, `serviceaccount add-key ${name} --description ci`);
    const key = String(made['key']);
    expect((await wire.call('GET', 'gvc', undefined, { authorization: key })).status).not.toBe(401);
    await gantry(wire, `serviceaccount remove-key ${name} --key ${String(made['name'])}`);
    expect((await wire.call('GET', 'gvc', undefined, { authorization: key })).status).toBe(401);
  }),
  row('clients/gantry identity', 'identity get --all-gvcs: those of all GVCs', async (wire) => {
    const [one, two] = [await ownTown(wire), await ownTown(wire)];
    const names = [await makeIdentity(wire, one), await makeIdentity(wire, two)].map(lastSegment);
    expect(await namesOf(wire, 'identity get --all-gvcs')).toEqual(expect.arrayContaining(names));
    expect(await namesOf(wire, `identity get --gvc ${one}`)).toEqual([names[0]]);
  }),
  row(
    'clients/gantry secret',
    'secret create-… of each type, from options, files and standard input; reveal',
    async (wire) => {
      for (const [type, data] of Object.entries(zoo)) {
        const name = wire.name('secret');
        const { words, input } = zooWords(type);
        await gantryWith(wire, ['secret', `create-${type}`, '--name', name, ...words], input);
        const revealed = await gantry(wire, `secret reveal ${name}`);
        expect(revealed, type).toMatchObject({ type, data });
        expect(Object.hasOwn(await gantry(wire, `secret get ${name}`), 'data')).toBe(false);
      }
    },
  ),
  row('clients/gantry task', 'task get-mine, complete --answer', async (wire) => {
    const id = await taskOf(wire);
    const mine = itemsAt(await gantry(wire, 'task get-mine'), 'items').map((task) => task['id']);
    expect(mine).toContain(id);
    await gantry(wire, `task complete ${id} --answer accept`);
    expect(await wire.get(`task/${id}`)).toMatchObject({ status: 'complete' });
    await gantry(wire, `task delete ${id} --yes`);
    expect((await wire.call('GET', `task/${id}`)).status).toBe(404);
  }),
  row('clients/gantry stop', 'workload stop, start, replica stop and cron stop', async (wire) => {
    const gvc = await ownTown(wire);
    const path = await makeWorkload(wire, gvc, specOf('standard'));
    const name = lastSegment(path);
    await gantry(wire, `workload stop ${name} --gvc ${gvc}`);
    expect(at(await wire.get(path), 'spec/defaultOptions/suspend')).toBe(true);
    await gantry(wire, `workload start ${name} --gvc ${gvc}`);
    expect(at(await wire.get(path), 'spec/defaultOptions/suspend')).toBe(false);
    await wire.advance('1m');
    const replicas = itemsAt(await gantry(wire, `workload replica get ${name} --gvc ${gvc}`), 'items');
    const [replica] = replicas;
    expect(replica).toBeDefined();
    const where = `--location ${String(replica?.['location'])} --replica ${String(replica?.['name'])}`;
    const stopped = await gantry(wire, `workload replica stop ${name} --gvc ${gvc} ${where}`);
    expect(itemsAt(stopped, 'items')).toMatchObject([{ type: 'stopReplica', spec: { replica: replica?.['name'] } }]);
    const job = await makeWorkload(wire, gvc, specOf('cron'));
    const jobName = lastSegment(job);
    await gantry(wire, `workload cron start ${jobName} --gvc ${gvc}`);
    const execution = await executionOf(wire, job);
    expect(execution).toMatchObject({ name: expect.stringMatching(/^command-/), status: 'Active' });
    const run = `--location aws-us-west-2 --replica ${String(execution?.['replica'])}`;
    const ended = await gantry(wire, `workload cron stop ${jobName} --gvc ${gvc} ${run}`);
    expect(itemsAt(ended, 'items')).toMatchObject([{ type: 'stopReplica' }]);
  }),
  row('clients/gantry options', '--max cuts a list, --org and --token are those of the call', async (wire) => {
    for (let count = 0; count < 3; count += 1) await makeGvc(wire);
    expect(await namesOf(wire, 'gvc get --max 2')).toHaveLength(2);
    expect((await namesOf(wire, 'gvc get --max 0')).length).toBeGreaterThan(2);
    const env = { GANTRY_ENDPOINT: wire.url };
    const line = 'gvc get --org local --token wrong'.split(' ');
    const { code, stderr } = await inFolder((cwd) => inProcess(undefined, line, { cwd, env }));
    expect(code).toBe(1);
    expect(stderr).toContain('api.unauthorized');
  }),
];
