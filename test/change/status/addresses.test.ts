import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { addressesOf, reachableAddresses } from '../../../src/kinds/addresses.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';

const canonicalEndpoint = 'https://web-x.example';
const endpoints = ['https://a.b', 'https://c.d', 'https://a.b'].map((url) => ({ url }));

test.each<{ it: string; kind: Kind; status: JsonObject; at: readonly string[] }>([
  { it: 'its own', kind: 'workload', status: { endpoint: 'https://own', canonicalEndpoint }, at: ['https://own'] },
  { it: 'the canonical one', kind: 'workload', status: { canonicalEndpoint }, at: [canonicalEndpoint] },
  { it: 'none yet', kind: 'workload', status: { endpoint: '' }, at: [] },
  { it: 'none at all', kind: 'workload', status: {}, at: [] },
  {
    it: 'each once',
    kind: 'domain',
    status: { endpoints: [null, {}, ...endpoints] },
    at: ['https://a.b', 'https://c.d'],
  },
  { it: 'not that of workloads', kind: 'domain', status: { endpoint: 'https://own' }, at: [] },
  { it: 'nothing, whatever it says', kind: 'ipset', status: { endpoint: 'https://own', endpoints }, at: [] },
])('the addresses of a $kind: $it', ({ kind, status, at }) => {
  expect(addressesOf(kind, { status })).toEqual(at);
});

test.each<[string, JsonObject, readonly string[]]>([
  ['without a firewall', {}, []],
  ['that admits nobody', { firewallConfig: { external: { inboundAllowCIDR: [] } } }, []],
  ['that admits somebody', { firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'] } } }, [canonicalEndpoint]],
])('a workload %s can be reached from outside at %j (platform/workload.firewall)', (_, spec, at) => {
  expect(reachableAddresses('workload', { spec, status: { canonicalEndpoint } })).toEqual(at);
});

test('a domain can be reached, it has no firewall', () => {
  expect(reachableAddresses('domain', { status: { endpoints } })).toEqual(['https://a.b', 'https://c.d']);
});
