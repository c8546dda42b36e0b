import { describe, expect, test } from 'vitest';
import {
  type Address,
  type AddressFacts,
  addressChanges,
  boundLocations,
  ipSetStatus,
  reconcileAddresses,
} from '../../../src/server/records/decisions/ipSetAddresses.ts';

const aws = { name: 'aws-us-east-1', provider: 'aws' };
const gcp = { name: 'gcp-us-east1', provider: 'gcp' };
const own = { name: 'my-rack', provider: 'byok' };

function address(location: string): Address {
  return { location, ip: `198.18.0.${location.length}`, id: `id-${location}`, createdMs: 0 };
}

const none: AddressFacts = { record: { spec: { link: '/org/o/gvc/g' } }, addresses: [], locations: [], bound: false };

function policies(...entries: readonly (readonly [string, string])[]): AddressFacts['record'] {
  const locations = entries.map(([name, retentionPolicy]) => ({ name: `/org/o/location/${name}`, retentionPolicy }));
  return { spec: { link: '/org/o/gvc/g', locations } };
}

describe('addresses are allocated for the locations of the target (P3, P5)', () => {
  test.each<[string, Partial<AddressFacts>, readonly string[]]>([
    ['none without a target', {}, []],
    ['one for each location, listed or not', { locations: [aws, gcp] }, [aws.name, gcp.name]],
    ['none at a provider without addresses', { locations: [aws, own] }, [aws.name]],
    ['existing addresses stay', { locations: [aws, gcp], addresses: [address(gcp.name)] }, [gcp.name, aws.name]],
  ])('%s', (_, facts, expected) => {
    expect(reconcileAddresses({ ...none, ...facts }, address).map(({ location }) => location)).toEqual(expected);
  });
});

describe('an address whose location was removed (platform/ipset.addresses)', () => {
  const addresses = [address(aws.name), address(gcp.name)];
  // biome-ignore format: a row is a case
  test.each<[string, Partial<AddressFacts>, readonly string[]]>([
    ['stays with policy keep', { record: policies([gcp.name, 'keep']), locations: [aws] }, [aws.name, gcp.name]],
    ['is released with policy free', { record: policies([gcp.name, 'free']), locations: [aws] }, [aws.name]],
    ['stays if the set does not list its location', { locations: [aws] }, [aws.name, gcp.name]],
    ['stays with policy free while the target has the location',
      { record: policies([aws.name, 'free']), locations: [aws, gcp] }, [aws.name, gcp.name]],
    ['is released with policy free if the target no longer exists', { record: policies([aws.name, 'free']) },
      [gcp.name]],
  ])('%s', (_, facts, expected) => {
    const settled = reconcileAddresses({ ...none, addresses, ...facts }, address);
    expect(settled.map(({ location }) => location)).toEqual(expected);
    expect(settled.every((each) => addresses.includes(each))).toBe(true);
  });
});

describe('the status of an IP set (platform/gvc.alias)', () => {
  const facts: AddressFacts = { ...none, addresses: [address(aws.name), address(gcp.name)], locations: [aws] };

  test('shows an address as bound in a location of the target if the target links the set (P1)', () => {
    expect(boundLocations(facts)).toEqual([]);
    expect(boundLocations({ ...facts, bound: true })).toEqual([aws.name]);
    expect(ipSetStatus({ ...facts, bound: true }, 'o')).toEqual({
      ipAddresses: [
        {
          name: '/org/o/location/aws-us-east-1',
          ip: '198.18.0.13',
          id: 'id-aws-us-east-1',
          state: 'bound',
          created: '1970-01-01T00:00:00.000Z',
        },
        {
          name: '/org/o/location/gcp-us-east1',
          ip: '198.18.0.12',
          id: 'id-gcp-us-east1',
          state: 'unbound',
          created: '1970-01-01T00:00:00.000Z',
        },
      ],
    });
  });

  test('has a warning if the target does not link the set (P1), and an error for a provider without addresses (P5)', () => {
    const status = ipSetStatus({ ...facts, locations: [aws, own] }, 'o');
    expect(status['warning']).toContain('/org/o/gvc/g');
    expect(status['error']).toContain('my-rack');
  });

  test('has no warning and no error if the set has no link', () => {
    expect(ipSetStatus({ ...none, record: { spec: {} } }, 'o')).toEqual({ ipAddresses: [] });
  });
});

test('changes of addresses are described in words', () => {
  const [first, second] = [address(aws.name), address(gcp.name)];
  expect(addressChanges({ addresses: [], bound: [] }, { addresses: [first], bound: [aws.name] })).toEqual([
    '198.18.0.13 was allocated in aws-us-east-1',
    'the address in aws-us-east-1 is bound',
  ]);
  const before = { addresses: [first, second], bound: [aws.name, gcp.name] };
  expect(addressChanges(before, { addresses: [first], bound: [] })).toEqual([
    'the address in aws-us-east-1 is unbound',
    '198.18.0.12 in gcp-us-east1 was released',
  ]);
  expect(addressChanges(before, before)).toEqual([]);
});
