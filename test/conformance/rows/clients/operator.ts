import { expect } from 'vitest';
import { at } from '../../harness/place.ts';
import { parted, type Row } from '../../harness/row.ts';
import type { Wire } from '../../harness/wire.ts';

const spec = { staticPlacement: { locationLinks: ['/org/local/location/aws-us-west-2'] } };

/** A document as the operator sends it, under a name that no other row uses, and its path. */
function newDocument(wire: Wire) {
  const name = wire.name('gvc');
  const document = { kind: 'gvc', name, description: 'from a cluster', tags: { owner: 'cluster' }, spec };
  return { path: `gvc/${name}`, name, document };
}

/** The operator sends full objects by PUT of items (platform/wire.writes). */
export const operatorRows: readonly Row[] = [
  parted(
    'wire.operations/PUT item',
    'PUT on the item replaces, and makes what is not there; with dryRun it shows the record and stores nothing',
    [
      'PUT creates, the same again changes nothing',
      async (wire) => {
        const { path, document } = newDocument(wire);
        const made = await wire.call('PUT', path, document);
        expect([made.status, made.headers.get('location')]).toEqual([201, `/org/local/${path}`]);
        expect(made.body).toMatchObject({ version: 1, description: 'from a cluster' });
        const again = await wire.call('PUT', path, document);
        expect([again.status, again.body['id'], again.body['version']]).toEqual([200, made.body['id'], 1]);
      },
    ],
    [
      'what is omitted goes back to its default, whatever version is named; another name or kind is refused',
      async (wire) => {
        const { path, name, document } = newDocument(wire);
        await wire.ok('PUT', path, { ...document, spec: { ...spec, domain: 'a.example.com' } });
        const replaced = await wire.ok('PUT', path, { spec, version: 77 });
        expect(replaced).toMatchObject({ description: name, version: 2 });
        expect(replaced['tags']).toEqual({});
        expect(at(replaced, 'spec/domain')).toBeUndefined();
        await wire.refused(400, 'PUT', path, { ...document, name: `${name}x` });
        await wire.refused(400, 'PUT', path, { ...document, kind: 'workload' });
      },
    ],
    [
      'dryRun shows a new record, and an existing one as it would become',
      async (wire) => {
        const { path, name, document } = newDocument(wire);
        const dry = await wire.call('PUT', `${path}?dryRun=true`, document);
        expect(dry.status).toBe(200);
        expect(dry.body).toMatchObject({ name, spec: { endpointNamingFormat: 'org' } });
        await wire.refused(404, 'GET', path);
        await wire.ok('PUT', path, document);
        const before = await wire.get(path);
        const other = await wire.ok('PUT', `${path}?dryRun=true`, { ...document, description: 'other' });
        expect(other).toMatchObject({ id: before['id'], description: 'other' });
        expect(await wire.get(path)).toEqual(before);
        await wire.refused(400, 'PUT', `${path}?dryRun=true`, { ...document, spec: { none: 1 } });
        await wire.refused(404, 'PUT', 'gvc/none/workload/web?dryRun=true', { spec: {} });
      },
    ],
    [
      'a DELETE that is refused names what refers to the record, and is taken when that is gone',
      async (wire) => {
        const { path, document } = newDocument(wire);
        const name = wire.name('secret');
        const secret = `secret/${name}`;
        const data = '{"auths":{"r.example.com":{}}}';
        expect((await wire.call('PUT', secret, { kind: 'secret', name, type: 'docker', data })).status).toBe(201);
        const pullSecretLinks = [`//secret/${name}`];
        await wire.ok('PUT', path, { ...document, spec: { ...spec, pullSecretLinks } });
        const refused = await wire.refused(400, 'DELETE', secret);
        expect(refused['message']).toContain(`/org/local/${path}`);
        for (const gone of [path, secret]) expect((await wire.call('DELETE', gone)).status).toBe(202);
        await wire.refused(404, 'DELETE', secret);
      },
    ],
  ),
];
