import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { link, makeGvc, makeIdentity, makeWorkload, specOf, town } from '../../harness/fixtures.ts';
import { at } from '../../harness/place.ts';
import { parted, partOf, type Row, row } from '../../harness/row.ts';
import type { Wire } from '../../harness/wire.ts';
import { tagged } from './cliGeneric.ts';

/** `update`: GET, then PATCH with the version and the id that were read. */
async function update(wire: Wire, path: string, patch: JsonObject): Promise<JsonObject> {
  const { version = 0, id = '' } = await wire.get(path);
  const updated = await wire.ok('PATCH', path, { version, id, ...patch });
  expect(updated['version']).toBe(Number(version) + 1);
  return updated;
}

/** A workload like one that `workload create` makes. */
async function withFirewall(wire: Wire, gvc: string): Promise<string> {
  const firewallConfig = { external: { outboundAllowCIDR: ['0.0.0.0/0'] } };
  return makeWorkload(wire, gvc, specOf('standard', { firewallConfig }));
}

const main = (patch: JsonObject) => ({ '$patch/containers': [{ name: 'main', ...patch }] });
const external = (fields: JsonObject) => ({ firewallConfig: { external: fields } });

interface Update {
  readonly it: string;
  readonly spec: JsonObject;
  /** What is shown then. */
  readonly shown: JsonObject;
}

/** Each on what the one before left. */
// biome-ignore format: a row is a case
const updates: readonly Update[] = [
  { it: '--set spec.containers.main.…, with a new variable',
    spec: main({ inheritEnv: 'true', cpu: '100m', '$patch/env': [{ name: 'A', value: '5' }] }),
    shown: { containers: [{ name: 'main', inheritEnv: true, cpu: '100m', env: [{ name: 'A', value: '5' }] }] } },
  { it: '--set args+=', spec: main({ '$append/args': ['x'] }), shown: { containers: [{ args: ['x'] }] } },
  { it: '--unset of the variable, and --set args-=', spec: main({ '$drop/env': ['A'], '$drop/args': ['x'] }),
    shown: { containers: [{ env: [], args: [] }] } },
  { it: '--set list+=', spec: external({ '$append/outboundAllowHostname': ['a.example.com'] }),
    shown: external({ outboundAllowHostname: ['a.example.com'] }) },
  { it: '--set list-=', spec: external({ '$drop/outboundAllowHostname': ['a.example.com'] }),
    shown: external({ outboundAllowHostname: [] }) },
];

/** Subcommands that change a record, as the public client sends them (platform/patch.clients). */
export const changeCommandRows: readonly Row[] = [
  parted(
    'clients/edit',
    'edit: PATCH of the whole edited record; with --replace PUT of it',
    partOf('edit sends the whole record back in a PATCH, and a stale one is refused', async (wire) => {
      for (const path of [`gvc/${await makeGvc(wire)}`, await withFirewall(wire, await town(wire))]) {
        const record = await wire.get(path);
        expect(await wire.ok('PATCH', path, record)).toMatchObject({ version: 1 });
        const edited = await wire.ok('PATCH', path, { ...record, description: 'edited' });
        expect(edited).toMatchObject({ description: 'edited', version: 2, id: record['id'] ?? '' });
        await wire.refused(409, 'PATCH', path, { ...record, description: 'too late' });
      }
    }),
    partOf('edit --replace sends it in a PUT, which replaces instead of merging', async (wire) => {
      const gvc = await makeGvc(wire, { domain: 'a.example.com' });
      const record = await wire.get(`gvc/${gvc}`);
      const spec = { staticPlacement: { locationLinks: [link.east] } };
      expect([200, 201]).toContain((await wire.call('PUT', `gvc/${gvc}`, { ...record, spec })).status);
      const replaced = await wire.get(`gvc/${gvc}`);
      expect(at(replaced, 'spec/domain')).toBeUndefined();
      expect(replaced).toMatchObject({ id: record['id'], created: record['created'], alias: record['alias'], spec });
    }),
  ),
  row('clients/patch', 'patch --file: PATCH with the file as it is', async (wire) => {
    const path = await tagged(wire, { a: 'b', c: 'd' });
    const patched = await wire.ok('PATCH', path, {
      tags: { $drop: ['a'] },
      spec: { '$append/env': [{ name: 'A', value: 'b' }] },
    });
    expect(patched).toMatchObject({ tags: { c: 'd' }, spec: { env: [{ name: 'A', value: 'b' }] } });
  }),
  row('clients/tag', 'tag: PATCH of tags, where null removes one', async (wire) => {
    const path = await tagged(wire, { a: 'b', gone: 'x' });
    const patched = await update(wire, path, { tags: { count: 5, gone: null } });
    expect(patched['tags']).toEqual({ a: 'b', count: 5 });
  }),
  parted(
    'clients/update',
    'update: PATCH with version and id, and every value as a string',
    partOf('values come as strings, and are read by the schema; a stale version is refused', async (wire) => {
      const workload = await makeWorkload(wire, await town(wire), specOf('serverless'));
      const { version = 0, id = '' } = await wire.get(workload);
      const autoscaling = { minScale: '2', maxScale: '4' };
      const defaultOptions = { debug: 'true', capacityAI: 'false', timeoutSeconds: '30', autoscaling };
      const body = { version, id, spec: { defaultOptions } };
      const patched = await wire.ok('PATCH', workload, body);
      expect(at(patched, 'spec/defaultOptions')).toMatchObject({
        debug: true,
        capacityAI: false,
        timeoutSeconds: 30,
        autoscaling: { minScale: 2, maxScale: 4 },
      });
      await wire.refused(409, 'PATCH', workload, body);
    }),
    [
      'lists by += and -=, containers and variables by name, links in their short form, --unset by null',
      async (wire) => {
        const gvc = await town(wire);
        const workload = await withFirewall(wire, gvc);
        for (const { it, spec, shown } of updates) {
          expect((await update(wire, workload, { spec }))['spec'], it).toMatchObject(shown);
        }
        const identity = await makeIdentity(wire, gvc);
        for (const identityLink of [`//identity/${identity.split('/').at(-1)}`, null, identity]) {
          const updated = await update(wire, workload, { spec: { identityLink } });
          expect(at(updated, 'spec/identityLink')).toBe(identityLink === null ? undefined : identity);
        }
        await update(wire, workload, { spec: { defaultOptions: { timeoutSeconds: '30' } } });
        const unset = await update(wire, workload, { spec: { identityLink: null, defaultOptions: null } });
        expect(Object.keys(Object(unset['spec'])).toSorted()).toEqual(['containers', 'firewallConfig', 'type']);
      },
    ],
    partOf('start and stop: suspend for all locations and for each that has options', async (wire) => {
      const localOptions = [{ location: 'aws-us-east-1', suspend: false }];
      const workload = await makeWorkload(wire, await town(wire), specOf('standard', { localOptions }));
      const body = {
        spec: { defaultOptions: { suspend: true }, localOptions: [{ location: 'aws-us-east-1', suspend: true }] },
      };
      const stopped = await wire.ok('PATCH', workload, body);
      expect(at(stopped, 'spec/defaultOptions/suspend')).toBe(true);
      expect(at(stopped, 'spec/localOptions')).toMatchObject([{ suspend: true }]);
      const redeployed = await wire.ok('PATCH', workload, {
        tags: { 'scheme/deployTimestamp': '2026-01-01T00:00:00Z' },
      });
      expect(redeployed).toMatchObject({ version: 3, tags: { 'scheme/deployTimestamp': '2026-01-01T00:00:00Z' } });
    }),
  ),
];
