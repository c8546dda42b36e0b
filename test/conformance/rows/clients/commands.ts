import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { lastSegment } from '../../../../src/schema/record/ref.ts';
import { zooWords } from '../../../e2e/client/zooWords.ts';
import { inProcess } from '../../../e2e/harness/inProcess.ts';
import { zoo } from '../../../e2e/scenarios/access/16-secret-zoo.ts';
import type { Outcome } from '../../../outcome.ts';
import { makeCaller, makeGvc, makeIdentity, makeVolumeSet, makeWorkload, specOf } from '../../harness/fixtures.ts';
import { at, itemsAt } from '../../harness/place.ts';
import { ownRow, type Row, row } from '../../harness/row.ts';
import type { Wire } from '../../harness/wire.ts';

/** The editor of `edit`. */
const editor = "sed -i 's/^description: .*/description: edited/'";

/** Runs a command line in its own folder, because several test files run rows one after the other. */
async function run(wire: Wire, args: readonly string[], input = ''): Promise<Outcome> {
  const cwd = await mkdtemp(join(tmpdir(), 'gantry-conformance-'));
  const env = { GANTRY_ENDPOINT: wire.url, GANTRY_TOKEN: 'secret-token', GANTRY_ORG: 'local', EDITOR: editor };
  try {
    return await inProcess(undefined, args, { cwd, env, input });
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

/** Runs gantry against the platform of the row; returns its JSON output. */
export function gantry(wire: Wire, line: string, input = ''): Promise<JsonObject> {
  return gantryWith(wire, line.split(' '), input);
}

async function gantryWith(wire: Wire, args: readonly string[], input = ''): Promise<JsonObject> {
  const { code, stdout, stderr } = await run(wire, [...args, '-o', 'json'], input);
  expect(code, `gantry ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
  return JSON.parse(stdout);
}

export async function namesOf(wire: Wire, line: string): Promise<readonly unknown[]> {
  return itemsAt(await gantry(wire, line), 'items').map(({ name }) => name);
}

/** Creates a GVC in one location, which no other row uses. */
export function ownTown(wire: Wire): Promise<string> {
  return makeGvc(wire, { staticPlacement: { locationLinks: ['//location/aws-us-west-2'] } });
}

/** The newest run of a cron workload. */
async function executionOf(wire: Wire, path: string): Promise<JsonObject | undefined> {
  const [deployment] = itemsAt(await wire.get(`${path}/deployment`), 'items');
  return itemsAt(at(deployment, 'status'), 'jobExecutions')[0];
}

/** The actions on the record that `audit` with these options shows. */
async function audited(wire: Wire, gvc: string, options: string): Promise<readonly unknown[]> {
  const found = await gantry(wire, `gvc audit ${gvc} ${options}`.trim());
  return itemsAt(found, 'items').map((event) => at(event, 'action/type'));
}

/** `audit` with an option that is a time. `{middle}` is a time between the creation and the edit. */
function auditWindow(option: string, value: string, shown: readonly string[], more = ''): Row {
  return ownRow(
    `clients/audit ${option}`,
    `audit ${option}: shows the events within a time window`,
    {},
    async (wire) => {
      const gvc = await makeGvc(wire);
      const middle = new Date(Date.parse(String((await wire.get(`gvc/${gvc}`))['created'])) + 86_400_000);
      await wire.advance('48h');
      await wire.ok('PATCH', `gvc/${gvc}`, { tags: { a: 'b' } });
      expect(await audited(wire, gvc, `${option} ${value.replace('{middle}', middle.toISOString())}${more}`)).toEqual(
        shown,
      );
    },
  );
}

const ever = '--from 2000-01-01';
const east = '/org/local/location/aws-us-west-2';

/**
 * The commands of the client, run by `gantry`: each has the stated effect (platform/clients.operations,
 * platform/clients.kinds, platform/clients.options).
 */
export const commandRows: readonly Row[] = [
  row('clients/get', 'get: all records, one, or several, and every list has its kind', async (wire) => {
    const [one, two] = [await makeGvc(wire), await makeGvc(wire)];
    expect(await namesOf(wire, 'gvc get')).toEqual(expect.arrayContaining([one, two]));
    expect(await gantry(wire, `gvc get ${one}`)).toEqual(await wire.get(`gvc/${one}`));
    expect(await namesOf(wire, `gvc get ${one} //gvc/${two}`)).toEqual([one, two]);
    for (const itemKind of ['user', 'quota', 'image', 'task', 'location']) {
      expect(await wire.get(itemKind)).toMatchObject({ kind: 'list', itemKind });
      expect(await wire.ok('POST', `${itemKind}/-query`)).toMatchObject({ kind: 'queryresult', itemKind });
    }
  }),
  row('clients/create', 'create: creates the record, and reads it', async (wire) => {
    const name = wire.name('audit');
    await gantry(wire, `auditctx create --name ${name} --description d --tag a=b`);
    expect(await wire.get(`auditctx/${name}`)).toMatchObject({ description: 'd', tags: { a: 'b' }, version: 1 });
  }),
  row('clients/gvc create', 'create of a GVC: --name, --location, --env, --tag, --description', async (wire) => {
    const name = wire.name('made');
    await gantry(wire, `gvc create --name ${name} --location aws-us-west-2 --env A=b --tag n=5 --description d`);
    const spec = { staticPlacement: { locationLinks: [east] }, env: [{ name: 'A', value: 'b' }] };
    expect(await wire.get(`gvc/${name}`)).toMatchObject({ description: 'd', tags: { n: 5 }, spec });
  }),
  row('clients/clone', 'clone: copies the spec under another name, with a new id and alias', async (wire) => {
    const [gvc, name] = [await makeGvc(wire, { env: [{ name: 'A', value: 'b' }] }), wire.name('clone')];
    await gantry(wire, `gvc clone ${gvc} --name ${name}`);
    const [copy, record] = [await wire.get(`gvc/${name}`), await wire.get(`gvc/${gvc}`)];
    expect(copy['spec']).toEqual(record['spec']);
    expect([copy['version'], copy['id'] === record['id'], copy['alias'] === record['alias']]).toEqual([
      1,
      false,
      false,
    ]);
  }),
  row('clients/patch', 'patch: reads --file as JSON or YAML, with directives; - is standard input', async (wire) => {
    const name = wire.name('gvc');
    await wire.ok('POST', 'gvc', { name, tags: { a: 'b', c: 'd' } });
    await gantry(
      wire,
      `gvc patch ${name} --file -`,
      '{"tags": {"$drop": ["a"]}, "spec": {"$append/env": [{"name": "A"}]}}',
    );
    expect(await wire.get(`gvc/${name}`)).toMatchObject({
      version: 2,
      tags: { c: 'd' },
      spec: { env: [{ name: 'A' }] },
    });
    await gantry(wire, `gvc patch ${name} --file -`, 'description: yaml');
    expect(await wire.get(`gvc/${name}`)).toMatchObject({ description: 'yaml', version: 3 });
  }),
  row('clients/update', "update: sends values of the schema's types, with the version that was read", async (wire) => {
    const gvc = await ownTown(wire);
    const path = await makeWorkload(wire, gvc, specOf('standard'));
    const line = `workload update ${lastSegment(path)} --gvc ${gvc}`;
    await gantry(wire, `${line} --set spec.defaultOptions.timeoutSeconds=7 --set tags.a=b`);
    const after = await wire.get(path);
    expect(at(after, 'spec/defaultOptions/timeoutSeconds')).toBe(7);
    expect(after).toMatchObject({ tags: { a: 'b' }, version: 2 });
    await gantry(wire, `${line} --unset tags.a`);
    expect((await wire.get(path))['tags']).toEqual({});
  }),
  row('clients/edit', 'edit: sends a PATCH of what the editor changed, or with --replace a PUT', async (wire) => {
    const [one, two] = [await makeGvc(wire), await makeGvc(wire)];
    await gantry(wire, `gvc edit ${one}`);
    await gantry(wire, `gvc edit ${two} --replace`);
    for (const gvc of [one, two]) {
      expect(await wire.get(`gvc/${gvc}`)).toMatchObject({ description: 'edited', version: 2 });
    }
  }),
  row('clients/tag', 'tag: sets and removes tags', async (wire) => {
    const name = wire.name('tag');
    await wire.ok('POST', 'gvc', { name, tags: { old: 'x', kept: 'y' } });
    await gantry(wire, `gvc tag ${name} --tag new=1 --remove-tag old`);
    expect((await wire.get(`gvc/${name}`))['tags']).toEqual({ kept: 'y', new: 1 });
  }),
  row('clients/delete', 'delete: deletes several records one after the other', async (wire) => {
    const gvcs = [await makeGvc(wire), await makeGvc(wire)];
    await gantry(wire, `gvc delete ${gvcs.join(' ')} --yes`);
    for (const gvc of gvcs) await wire.refused(404, 'GET', `gvc/${gvc}`);
  }),
  row('clients/gvc delete --force', 'gvc delete --force: empties the GVC first', async (wire) => {
    const gvc = await ownTown(wire);
    await makeWorkload(wire, gvc, specOf('standard'));
    await makeVolumeSet(wire, gvc);
    await makeIdentity(wire, gvc);
    await gantry(wire, `gvc delete ${gvc} --force --yes`);
    await wire.refused(404, 'GET', `gvc/${gvc}`);
  }),
  row('clients/permissions', 'permissions: shows the permissions of the kind', async (wire) => {
    expect(await gantry(wire, 'gvc permissions')).toEqual(await wire.get('gvc/-schema/permissions'));
  }),
  row('clients/access-report', 'access-report: shows the report of the record', async (wire) => {
    const gvc = await makeGvc(wire);
    expect(await gantry(wire, `gvc access-report ${gvc}`)).toMatchObject({ kind: 'accessreport' });
  }),
  row('clients/eventlog', 'eventlog: shows a list of events', async (wire) => {
    const gvc = await makeGvc(wire);
    expect(await gantry(wire, `gvc eventlog ${gvc}`)).toMatchObject({ kind: 'list', itemKind: 'event' });
  }),
  row('clients/audit', 'audit: shows the events of a record, newest first', async (wire) => {
    const gvc = await makeGvc(wire);
    await gantry(wire, `gvc tag ${gvc} --tag a=b`);
    expect(await audited(wire, gvc, '')).toEqual(['edit', 'create']);
  }),
  row(
    'clients/audit --subject',
    'audit --subject: selects by e-mail, or by the name of a service account',
    async (wire) => {
      const [gvc, idle] = [await makeGvc(wire), wire.name('idle')];
      await wire.ok('POST', 'serviceaccount', { name: idle });
      expect(await audited(wire, gvc, `${ever} --subject admin@example.com`)).toEqual(['create']);
      expect(await audited(wire, gvc, `${ever} --subject ${idle}`)).toEqual([]);
    },
  ),
  row('clients/audit --context', "audit --context: is the platform's own context by default", async (wire) => {
    const [gvc, context] = [await makeGvc(wire), wire.name('context')];
    await wire.ok('POST', 'auditctx', { name: context });
    expect(await audited(wire, gvc, `${ever} --context scheme`)).toEqual(['create']);
    expect(await audited(wire, gvc, `${ever} --context ${context}`)).toEqual([]);
  }),
  auditWindow('--since', '1h', ['edit', 'create']),
  auditWindow('--from', '{middle}', ['edit']),
  auditWindow('--to', '{middle}', ['create'], ` ${ever}`),
  row('clients/auditctx audit', 'audit of an audit context: shows the events that were written to it', async (wire) => {
    const name = wire.name('audit');
    await wire.ok('POST', 'auditctx', { name });
    const event = { resource: { id: 'order-1', type: 'order', name: 'order-1' }, action: { type: 'edit' } };
    await wire.ok('POST', `/audit/org/local/auditctx/${name}`, event);
    const found = await gantry(wire, `auditctx audit ${name} ${ever}`);
    expect(found).toMatchObject({
      itemKind: 'auditEvent',
      items: [{ resource: { id: 'order-1' }, context: { name } }],
    });
  }),
  row(
    'clients/gvc add-location',
    'gvc add-location and remove-location: send the full list, in its order',
    async (wire) => {
      const gvc = await ownTown(wire);
      const links = async () => at(await wire.get(`gvc/${gvc}`), 'spec/staticPlacement/locationLinks');
      await gantry(wire, `gvc add-location ${gvc} --location aws-eu-central-1`);
      expect(await links()).toEqual([east, '/org/local/location/aws-eu-central-1']);
      await gantry(wire, `gvc remove-location ${gvc} --location aws-eu-central-1`);
      expect(await links()).toEqual([east]);
    },
  ),
  row('clients/gvc delete-all-workloads', 'gvc delete-all-workloads: deletes each workload', async (wire) => {
    const gvc = await ownTown(wire);
    for (let index = 0; index < 2; index += 1) await makeWorkload(wire, gvc, specOf('standard'));
    await gantry(wire, `gvc delete-all-workloads ${gvc} --yes`);
    expect((await wire.get(`gvc/${gvc}/workload`))['items']).toEqual([]);
  }),
  row('clients/ipset create', 'ipset create: has --link, and --location with its retention', async (wire) => {
    const [gvc, name] = [await ownTown(wire), wire.name('ips')];
    await gantry(wire, `ipset create --name ${name} --link //gvc/${gvc} --location aws-us-west-2,free`);
    const locations = [{ name: east, retentionPolicy: 'free' }];
    expect((await wire.get(`ipset/${name}`))['spec']).toEqual({ link: `/org/local/gvc/${gvc}`, locations });
  }),
  row('clients/ipset locations', 'ipset add-, update- and remove-location: send the full list', async (wire) => {
    const name = wire.name('ips');
    const locations = async () =>
      itemsAt(at(await wire.get(`ipset/${name}`), 'spec'), 'locations').map((item) => Object.values(item));
    await gantry(wire, `ipset create --name ${name} --location aws-us-west-2,free`);
    await gantry(wire, `ipset add-location ${name} --location aws-eu-central-1`);
    expect(await locations()).toEqual([
      [east, 'free'],
      ['/org/local/location/aws-eu-central-1', 'keep'],
    ]);
    await gantry(wire, `ipset update-location ${name} --location aws-us-west-2,keep`);
    await gantry(wire, `ipset remove-location ${name} --location aws-eu-central-1`);
    expect(await locations()).toEqual([[east, 'keep']]);
    const wrong = { spec: { locations: [{ name: east, retentionPolicy: 'hold' }] } };
    await wire.refused(400, 'PATCH', `ipset/${name}`, wrong);
  }),
  row('clients/group create', 'group create: sets a member query', async (wire) => {
    const name = wire.name('group');
    await gantry(wire, `group create --name ${name} --query-property email=ann@example.com --query-match any`);
    const terms = [{ op: '=', property: 'email', value: 'ann@example.com' }];
    expect(at(await wire.get(`group/${name}`), 'memberQuery/spec')).toMatchObject({ match: 'any', terms });
  }),
  row('clients/group add-member', 'group add-member, remove-member: an e-mail or a service account', async (wire) => {
    const name = wire.name('group');
    await wire.ok('POST', 'group', { name });
    const { link } = await makeCaller(wire);
    const members = async () => (await wire.get(`group/${name}`))['memberLinks'];
    for (let again = 0; again < 2; again += 1) {
      await gantry(wire, `group add-member ${name} --email bob@example.com --serviceaccount ${lastSegment(link)}`);
      expect(await members()).toHaveLength(2);
    }
    expect(await members()).toContain(link);
    await gantry(wire, `group remove-member ${name} --serviceaccount ${lastSegment(link)}`);
    expect(await members()).not.toContain(link);
    await wire.refused(400, 'PATCH', `group/${name}`, { '$append/memberLinks': ['//user/nobody@example.com'] });
  }),
  row('clients/serviceaccount keys', 'add-key shows the key; remove-key drops it by name', async (wire) => {
    const name = wire.name('bot');
    await gantry(wire, `serviceaccount create --name ${name}`);
    const made = await gantry(wire, `serviceaccount add-key ${name} --description ci`);
    const text = expect.stringMatching(/./);
    expect(made).toEqual({ name: text, created: text, description: 'ci', key: text });
    const [key, keyName] = [String(made['key']), String(made['name'])];
    expect(key).toMatch(new RegExp(`^${keyName}\\.[^.]+\\.[a-z0-9]{20,}$`));
    const ask = async (authorization: string) => (await wire.call('GET', 'gvc', undefined, { authorization })).status;
    expect([await ask(key), await ask(`Bearer ${key}`), await ask(`${key}x`)]).toEqual([200, 200, 401]);
    await gantry(wire, `serviceaccount remove-key ${name} --key ${keyName}`);
    expect(await ask(key)).toBe(401);
  }),
  row('clients/identity', 'identity get --all-gvcs: shows identities of all GVCs', async (wire) => {
    const [one, two] = [await ownTown(wire), await ownTown(wire)];
    const names = [await makeIdentity(wire, one), await makeIdentity(wire, two)].map(lastSegment);
    expect(await namesOf(wire, 'identity get --all-gvcs')).toEqual(expect.arrayContaining(names));
    expect(await namesOf(wire, `identity get --gvc ${one}`)).toEqual([names[0]]);
  }),
  row('clients/secret', 'secret create-… of each type, from options, files and input; reveal', async (wire) => {
    for (const [type, data] of Object.entries(zoo)) {
      const name = wire.name('secret');
      const { words, input } = zooWords(type);
      await gantryWith(wire, ['secret', `create-${type}`, '--name', name, ...words], input);
      expect(await gantry(wire, `secret reveal ${name}`), type).toMatchObject({ type, data });
      expect(Object.hasOwn(await gantry(wire, `secret get ${name}`), 'data')).toBe(false);
    }
  }),
  row('clients/task', 'task get-mine, complete --answer, delete', async (wire) => {
    const task = { targetEmail: 'admin@example.com', description: 'join' };
    const id = String((await wire.ok('POST', 'task/-simulate', task))['id']);
    const mine = itemsAt(await gantry(wire, 'task get-mine'), 'items').map((task) => task['id']);
    expect(mine).toContain(id);
    await gantry(wire, `task complete ${id} --answer accept`);
    expect(await wire.get(`task/${id}`)).toMatchObject({ status: 'complete' });
    await gantry(wire, `task delete ${id} --yes`);
    await wire.refused(404, 'GET', `task/${id}`);
    await wire.refused(404, 'POST', `/task/${id}`, { answer: 'accept' });
  }),
  row('clients/stop', 'workload stop, start, replica stop and cron stop', async (wire) => {
    const gvc = await ownTown(wire);
    const path = await makeWorkload(wire, gvc, specOf('standard'));
    const name = lastSegment(path);
    await gantry(wire, `workload stop ${name} --gvc ${gvc}`);
    expect(at(await wire.get(path), 'spec/defaultOptions/suspend')).toBe(true);
    await gantry(wire, `workload start ${name} --gvc ${gvc}`);
    expect(at(await wire.get(path), 'spec/defaultOptions/suspend')).toBe(false);
    await wire.advance('1m');
    const [replica] = itemsAt(await gantry(wire, `workload replica get ${name} --gvc ${gvc}`), 'items');
    expect(replica).toBeDefined();
    const where = `--location ${String(replica?.['location'])} --replica ${String(replica?.['name'])}`;
    const stopped = await gantry(wire, `workload replica stop ${name} --gvc ${gvc} ${where}`);
    expect(itemsAt(stopped, 'items')).toMatchObject([{ type: 'stopReplica', spec: { replica: replica?.['name'] } }]);
    const job = await makeWorkload(wire, gvc, specOf('cron'));
    const jobName = lastSegment(job);
    await gantry(wire, `workload cron start ${jobName} --gvc ${gvc}`);
    const execution = await executionOf(wire, job);
    expect(execution).toMatchObject({ name: expect.stringMatching(/^command-/), status: 'Active' });
    const started = `--location aws-us-west-2 --replica ${String(execution?.['replica'])}`;
    const ended = await gantry(wire, `workload cron stop ${jobName} --gvc ${gvc} ${started}`);
    expect(itemsAt(ended, 'items')).toMatchObject([{ type: 'stopReplica' }]);
  }),
  row('clients/--org and --gvc', '--org and --gvc are parts of the path, and an unknown org is a 404', async (wire) => {
    const gvc = await ownTown(wire);
    const identity = lastSegment(await makeIdentity(wire, gvc));
    expect(await gantry(wire, `identity get ${identity} --org local --gvc ${gvc}`)).toMatchObject({ name: identity });
    expect(await run(wire, ['gvc', 'get', gvc, '--org', 'other'])).toMatchObject({ code: 1 });
  }),
  row('clients/--output', '--output: shows the full record as json, and exports it as tf and crd', async (wire) => {
    const gvc = await makeGvc(wire);
    for (const record of [await wire.get(`gvc/${gvc}`), ...itemsAt(await wire.get('gvc?limit=1000'), 'items')]) {
      const members = 'kind name id version created lastModified links spec tags description'.split(' ');
      for (const member of members) expect(record, member).toHaveProperty(member);
    }
    const printed = async (format: string) => (await run(wire, ['gvc', 'get', gvc, '-o', format])).stdout;
    expect(await printed('tf')).toContain(`resource "gantry_gvc" "${gvc}"`);
    expect(await printed('crd')).toMatch(/kind: gvc/);
  }),
  row('clients/--ts', '--ts: formats times, which are all ISO 8601 in answers', async (wire) => {
    const { created, lastModified } = await wire.get(`gvc/${await makeGvc(wire)}`);
    for (const time of [created, lastModified]) expect(new Date(String(time)).toISOString()).toBe(time);
  }),
  row('clients/--max', '--max: limits a list, or 0 shows all', async (wire) => {
    for (let count = 0; count < 3; count += 1) await makeGvc(wire);
    expect(await namesOf(wire, 'gvc get --max 2')).toHaveLength(2);
    expect((await namesOf(wire, 'gvc get --max 0')).length).toBeGreaterThan(2);
  }),
  row('clients/--token', '--token determines the caller', async (wire) => {
    const { code, stderr } = await run(wire, ['gvc', 'get', '--token', 'wrong']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('api.unauthorized')]);
  }),
  row('clients/--endpoint', '--endpoint: is the address of all services in discovery', async (wire) => {
    expect(await gantry(wire, `gvc get --endpoint ${wire.url}`)).toMatchObject({ kind: 'list' });
    const { endpoints } = await wire.get('/discovery');
    for (const name of ['audit', 'terraform-exporter', 'k8s-crd-exporter', 'logs', 'billing-ng']) {
      expect(at(endpoints, name), name).toMatch(new RegExp(`^${wire.url}`));
    }
  }),
  row(
    'clients/other options',
    '--profile, --color, --insecure, --verbose, --debug and --help change no request: the platform needs no header of the client',
    async (wire) => {
      const response = await fetch(`${wire.url}/org/local`, { headers: { authorization: 'secret-token' } });
      expect([response.status, await response.json()]).toMatchObject([200, { kind: 'org', name: 'local' }]);
    },
  ),
];
