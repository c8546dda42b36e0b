import { expect } from 'vitest';
import { container, link, makeWorkload, specOf, town } from '../../harness/fixtures.ts';
import { at } from '../../harness/place.ts';
import { parted, partOf, type Row } from '../../harness/row.ts';
import { part, refusedPart } from './patchCase.ts';
import { keyParts } from './patchKeys.ts';

const env = [
  { name: 'A', value: '1' },
  { name: 'B', value: '2' },
];
const balancer = { dedicated: true, trustedProxies: 2 };
const locations = { locationLinks: [link.east, link.south] };

const placed = { staticPlacement: locations };

// biome-ignore format: a row is a case
export const patchRows: readonly Row[] = [
  parted('patch/$drop', '$drop removes the named fields of the object that carries it',
    part({ it: 'removes a field, and leaves its neighbours', spec: { env, domain: 'a.example.com' },
      patch: { spec: { $drop: ['domain'] } }, place: 'spec/domain', value: undefined })),
  parted('patch/$replace', '$replace/field replaces a field as a whole instead of merging',
    part({ it: 'replaces an object', spec: { loadBalancer: balancer },
      patch: { spec: { '$replace/loadBalancer': { trustedProxies: 1 } } }, place: 'spec/loadBalancer',
      value: { trustedProxies: 1 } }),
    part({ it: 'replaces the tags', spec: {}, patch: { '$replace/tags': { b: 'c' } }, place: 'tags',
      value: { b: 'c' } })),
  parted('patch/$drop list', '$drop/list removes the items that the strings identify',
    part({ it: 'removes strings, also in their short form', spec: placed,
      patch: { spec: { staticPlacement: { '$drop/locationLinks': ['//location/gcp-us-east1'] } } },
      place: 'spec/staticPlacement/locationLinks', value: [link.east] }),
    part({ it: 'removes objects by their key', spec: { env }, patch: { spec: { '$drop/env': ['A'] } },
      place: 'spec/env', value: [{ name: 'B', value: '2' }] })),
  parted('patch/$append', '$append/list appends items',
    part({ it: 'appends an object', spec: { env }, patch: { spec: { '$append/env': [{ name: 'C', value: '3' }] } },
      place: 'spec/env', value: [...env, { name: 'C', value: '3' }] }),
    part({ it: 'does not duplicate a string of a set', spec: placed,
      patch: { spec: { staticPlacement: { '$append/locationLinks': ['//location/gcp-us-east1'] } } },
      place: 'spec/staticPlacement/locationLinks', value: [link.east, link.south] }),
    refusedPart('refuses an object with an existing key', { env },
      { spec: { '$append/env': [{ name: 'A', value: '9' }] } })),
  parted(
    'patch/$patch',
    '$patch/list merges each item into the matching one, with directives of its own',
    partOf('items carry directives of their own', async (wire) => {
      const first = container({ env, args: ['a'], workingDir: '/srv' });
      const workload = await makeWorkload(wire, await town(wire), specOf('standard', { containers: [first] }));
      const item = {
        name: 'main',
        $drop: ['workingDir'],
        '$patch/env': [{ name: 'A', value: '9' }],
        '$append/args': ['b'],
      };
      const patched = await wire.ok('PATCH', workload, { spec: { '$patch/containers': [item] } });
      expect(at(patched, 'spec/containers/main/workingDir')).toBeUndefined();
      expect(at(patched, 'spec/containers/main/env/A/value')).toBe('9');
      expect(at(patched, 'spec/containers/main/args')).toEqual(['a', 'b']);
    }),
  ),
  parted('patch/$retain', '$retain/list keeps only the items that the strings identify',
    part({ it: 'keeps objects by their key', spec: { env }, patch: { spec: { '$retain/env': ['B', 'Z'] } },
      place: 'spec/env', value: [{ name: 'B', value: '2' }] })),
  parted('patch/merge', 'a plain field is merged into the record',
    part({ it: 'a plain object merges', spec: { loadBalancer: balancer },
      patch: { spec: { loadBalancer: { trustedProxies: 1 } } }, place: 'spec/loadBalancer',
      value: { dedicated: true, trustedProxies: 1 } }),
    part({ it: 'a plain list replaces', spec: { env }, patch: { spec: { env: [{ name: 'B', value: '9' }] } },
      place: 'spec/env', value: [{ name: 'B', value: '9' }] }),
    part({ it: 'null removes', spec: { loadBalancer: balancer }, patch: { spec: { loadBalancer: { dedicated: null } } },
      place: 'spec/loadBalancer', value: { trustedProxies: 2 } }),
    part({ it: 'strings are read with the types of the schema', spec: {},
      patch: { spec: { loadBalancer: { dedicated: 'true', trustedProxies: '1' } } }, place: 'spec/loadBalancer',
      value: { dedicated: true, trustedProxies: 1 } }),
    part({ it: 'read-only members are accepted and ignored', spec: {},
      patch: { kind: 'gvc', created: 'x', links: [], status: { a: 1 }, lastModified: 'x',
        spec: { domain: 'b.example.com' } },
      place: 'status', value: {} }),
    refusedPart('an unknown field is refused, and nothing is changed', { env },
      { spec: { nope: 1, domain: 'a.example.com' } }),
    refusedPart('the whole record is validated', {}, { spec: { keda: { secrets: ['//secret/none'] } } })),
  parted(
    'patch/list identity',
    'each list has the key of platform/patch.list-keys, and a list without a key accepts no directive by key',
    ...keyParts(),
    partOf('bindings of a policy have no key', async (wire) => {
      const name = wire.name('policy');
      await wire.ok('POST', 'policy', { name, targetKind: 'gvc', target: 'all', bindings: [] });
      await wire.refused(400, 'PATCH', `policy/${name}`, { '$drop/bindings': ['0'] });
    }),
  ),
];
