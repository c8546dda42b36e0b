import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../../base/json/json.ts';
import { lastSegment, linkOf } from '../../../schema/record/ref.ts';

/** An address of an IP set in one location. */
export interface Address {
  readonly location: string;
  readonly ip: string;
  readonly id: string;
  readonly createdMs: number;
}

/** Only these providers have addresses (platform/ipset.addresses). */
const providers = new Set(['aws', 'gcp', 'azure']);

export interface AddressFacts {
  readonly record: JsonObject;
  readonly addresses: readonly Address[];
  /** The locations of the linked GVC, or of the linked workload's GVC; empty if the target is missing. */
  readonly locations: readonly { readonly name: string; readonly provider: string }[];
  /** Whether the IP set and its target refer to each other (P1). */
  readonly bound: boolean;
}

export function readAddresses(state: JsonObject): readonly Address[] {
  return listAt(state, 'addresses').flatMap((address) => {
    if (!isObject(address)) return [];
    const [location, ip, id] = ['location', 'ip', 'id'].map((key) => stringAt(address, key));
    const createdMs = address['createdMs'];
    if (location === undefined || ip === undefined || id === undefined || typeof createdMs !== 'number') return [];
    return [{ location, ip, id, createdMs }];
  });
}

/** The addresses after a change: one for each location of the target. Elsewhere those that are `free` are released. */
export function reconcileAddresses(facts: AddressFacts, allocate: (location: string) => Address): readonly Address[] {
  const places = facts.locations.filter(({ provider }) => providers.has(provider)).map(({ name }) => name);
  const releasedLocations = new Set(
    listAt(objectAt(facts.record, 'spec'), 'locations').flatMap((entry) => {
      if (!isObject(entry) || stringAt(entry, 'retentionPolicy') !== 'free') return [];
      return [lastSegment(stringAt(entry, 'name') ?? '')];
    }),
  );
  const remaining = facts.addresses.filter(
    ({ location }) => places.includes(location) || !releasedLocations.has(location),
  );
  const assigned = new Set(remaining.map(({ location }) => location));
  return [...remaining, ...places.filter((place) => !assigned.has(place)).map(allocate)];
}

/** The locations whose address the target's load balancer uses (platform/ipset.addresses). */
export function boundLocations({ addresses, locations, bound }: AddressFacts): readonly string[] {
  if (!bound) return [];
  const places = new Set(locations.map(({ name }) => name));
  return addresses.map(({ location }) => location).filter((location) => places.has(location));
}

/** `status` of an IP set (platform/ipset.addresses). */
export function ipSetStatus(facts: AddressFacts, org: string): JsonObject {
  const { record, addresses, locations, bound } = facts;
  const inUse = new Set(boundLocations(facts));
  const others = locations.filter(({ provider }) => !providers.has(provider)).map(({ name }) => name);
  const link = stringAt(objectAt(record, 'spec'), 'link');
  return {
    ipAddresses: addresses.map(({ location, ip, id, createdMs }) => ({
      name: linkOf({ kind: 'location', name: location }, org),
      ip,
      id,
      state: inUse.has(location) ? 'bound' : 'unbound',
      created: new Date(createdMs).toISOString(),
    })),
    ...(others.length > 0 ? { error: `there are no addresses in ${others.join(', ')}` } : {}),
    ...(link !== undefined && !bound ? { warning: `${link} does not name this IP set in its load balancer` } : {}),
  };
}

/** The changes of addresses as texts for the event log. */
export function addressChanges(
  before: { readonly addresses: readonly Address[]; readonly bound: readonly string[] },
  after: { readonly addresses: readonly Address[]; readonly bound: readonly string[] },
): readonly string[] {
  const oldIds = new Set(before.addresses.map(({ id }) => id));
  const newIds = new Set(after.addresses.map(({ id }) => id));
  const remainingLocations = new Set(after.addresses.map(({ location }) => location));
  return [
    ...after.addresses
      .filter(({ id }) => !oldIds.has(id))
      .map(({ ip, location }) => `${ip} was allocated in ${location}`),
    ...after.bound.filter((name) => !before.bound.includes(name)).map((name) => `the address in ${name} is bound`),
    ...before.bound
      .filter((name) => !after.bound.includes(name) && remainingLocations.has(name))
      .map((name) => `the address in ${name} is unbound`),
    ...before.addresses
      .filter(({ id }) => !newIds.has(id))
      .map(({ ip, location }) => `${ip} in ${location} was released`),
  ];
}
