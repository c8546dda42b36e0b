import { expect } from 'vitest';
import { at } from '../../harness/place.ts';
import { parted, partOf, type Row } from '../../harness/row.ts';
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
    partOf('PUT creates, the same again changes nothing', async (wire) => {
      const { path, document } = newDocument(wire);
      const made = await wire.call('PUT', path, document);
      expect([made.status, made.headers.get('location')]).toEqual([201, `/org/local/${path}`]);
      expect(made.body).toMatchObject({ version: 1, description: 'from a cluster' });
      const again = await wire.call('PUT', path, document);
      expect([again.status, again.body['id'], again.body['version']]).toEqual([200, made.body['id'], 1]);
    }),
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
  ),
];
