import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { addressesOf, reachableAddresses } from '../../../src/kinds/addresses.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';

const canonicalEndpoint = 'https://web-x.example';
const endpoints = ['https://a.b', 'https://c.d', 'https://a.b'].map((url) => ({ url }));

// biome-ignore format: a row is a case
test.each<{ it: string; kind: Kind; status: JsonObject; at: readonly string[] }>([
  { it: 'its own', kind: 'workload', status: { endpoint: 'https://own', canonicalEndpoint }, at: ['https://own'] },
  { it: 'the canonical one', kind: 'workload', status: { canonicalEndpoint }, at: [canonicalEndpoint] },
  { it: 'none yet', kind: 'workload', status: { endpoint: '' }, at: [] },
  { it: 'none', kind: 'workload', status: {}, at: [] },
  { it: 'each once', kind: 'domain', status: { endpoints: [null, {}, ...endpoints] },
    at: ['https://a.b', 'https://c.d'] },
  { it: 'not those of workloads', kind: 'domain', status: { endpoint: 'https://own' }, at: [] },
  { it: 'none for any status', kind: 'ipset', status: { endpoint: 'https://own', endpoints }, at: [] },
])('the addresses of a $kind: $it', ({ kind, status, at }) => {
  expect(addressesOf(kind, { status })).toEqual(at);
});

test.each<[string, JsonObject, readonly string[]]>([
  ['without a firewall', {}, []],
  ['that admits no traffic', { firewallConfig: { external: { inboundAllowCIDR: [] } } }, []],
  ['that admits traffic', { firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'] } } }, [canonicalEndpoint]],
])('a workload %s has the external addresses %j (platform/workload.firewall)', (_, spec, at) => {
  expect(reachableAddresses('workload', { spec, status: { canonicalEndpoint } })).toEqual(at);
});

test('a domain has an address without a firewall', () => {
  expect(reachableAddresses('domain', { status: { endpoints } })).toEqual(['https://a.b', 'https://c.d']);
});
