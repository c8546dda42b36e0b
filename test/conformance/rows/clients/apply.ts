import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { makeGvc, makeWorkload, specOf, town } from '../../harness/fixtures.ts';
import { ownPart, parted, partOf, type Row } from '../../harness/row.ts';
import type { Wire } from '../../harness/wire.ts';

/** A document of each kind that `apply` accepts, with its collection, in the order of platform/clients.apply. */
// biome-ignore format: a row is a case
const documents: readonly (readonly [collection: string, document: JsonObject])[] = [
  ['agent', { kind: 'agent', name: 'near' }],
  ['secret', { kind: 'secret', name: 'word', type: 'opaque', data: { payload: 'x' } }],
  ['gvc', { kind: 'gvc', name: 'shop',
    spec: { staticPlacement: { locationLinks: ['//location/aws-us-west-2', '//location/azure-eastus2'] } } }],
  ['gvc/shop/identity', { kind: 'identity', name: 'reader', gvc: 'shop' }],
  ['gvc/shop/volumeset', { kind: 'volumeset', name: 'data', gvc: 'shop',
    spec: { initialCapacity: 10, performanceClass: 'general-purpose-ssd' } }],
  ['policy', { kind: 'policy', name: 'reads', targetKind: 'secret', target: 'all', targetLinks: [],
    bindings: [{ permissions: ['reveal'], principalLinks: ['//gvc/shop/identity/reader'] }] }],
  ['gvc/shop/workload', { kind: 'workload', name: 'web', gvc: 'shop',
    spec: specOf('standard', { identityLink: '//identity/reader' }) }],
  ['domain', { kind: 'domain', name: 'example.com', spec: {} }],
  ['ipset', { kind: 'ipset', name: 'fixed', spec: { link: '//gvc/shop' } }],
  ['group', { kind: 'group', name: 'team' }],
  ['serviceaccount', { kind: 'serviceaccount', name: 'bot' }],
  ['auditctx', { kind: 'auditctx', name: 'own' }],
  ['location', { kind: 'location', name: 'hall', provider: 'byok' }],
];

/** Sends a PUT of each document to its collection; demands 201 with Location. */
async function applied(wire: Wire): Promise<void> {
  for (const [collection, document] of documents) {
    const made = await wire.call('PUT', collection, document);
    const path = `/org/local/${collection}/${document['name']}`;
    expect([made.status, made.headers.get('location')], made.text).toEqual([201, path]);
    expect(made.body).toMatchObject({ version: 1 });
    expect(await wire.get(path)).toMatchObject({ id: made.body['id'], version: 1 });
    expect(made.body).not.toHaveProperty('gvc');
  }
}

/** The requests of `apply` of the public client (platform/clients.apply). */
export const applyRows: readonly Row[] = [
  parted(
    'wire.paths/apply',
    'apply: PUT of each document, with all its members, to the collection; 201 and Location, or 200',
    ownPart('a document of each kind creates a record, and the same again changes nothing', {}, async (wire) => {
      await applied(wire);
      for (const [collection, document] of documents) {
        const before = await wire.get(`${collection}/${document['name']}`);
        const again = await wire.call('PUT', collection, document);
        expect([again.status, again.headers.get('location')], again.text).toEqual([200, null]);
        expect(again.body).toMatchObject({ id: before['id'], version: 1 });
      }
    }),
    ownPart('a record of each kind is applied and edited as it was read, whatever its version', {}, async (wire) => {
      await applied(wire);
      for (const [collection, { name, kind, gvc, data }] of documents) {
        const path = `${collection}/${name}`;
        const record = await wire.get(path);
        // A secret is read without its values, so they are added again.
        const whole = { ...record, version: 77, ...(gvc && { gvc }), ...(kind === 'secret' && { data }) };
        const again = await wire.call('PUT', collection, whole);
        expect([again.status, again.body['version']], again.text).toEqual([200, record['version']]);
        const edited = await wire.call('PATCH', path, record);
        expect([edited.status, edited.body['version']], edited.text).toEqual([200, record['version']]);
      }
    }),
    partOf('a record that was read is applied again after a change, without a conflict', async (wire) => {
      const gvc = await town(wire);
      const workload = await makeWorkload(wire, gvc, specOf('standard'));
      const record = await wire.get(workload);
      await wire.ok('PATCH', workload, { description: 'between' });
      expect((await wire.call('PUT', `gvc/${gvc}/workload`, record)).status).toBe(200);
      expect(await wire.get(workload)).toMatchObject({ version: 3, description: record['description'] });
    }),
    partOf('a slim document, without id, version, links and status, changes nothing', async (wire) => {
      const gvc = await makeGvc(wire);
      const { kind, name, description, tags, spec } = await wire.get(`gvc/${gvc}`);
      expect((await wire.call('PUT', 'gvc', { kind, name, description, tags, spec })).status).toBe(200);
      expect((await wire.get(`gvc/${gvc}`))['version']).toBe(1);
    }),
    partOf('a document with another kind, or without a name, is refused', async (wire) => {
      const collection = `gvc/${await town(wire)}/workload`;
      const spec = specOf('standard');
      await wire.refused(400, 'PUT', collection, { kind: 'gvc', name: wire.name('work'), spec });
      await wire.refused(400, 'PUT', collection, { kind: 'workload', spec });
    }),
  ),
];
