import { generateKeyPairSync } from 'node:crypto';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Wire } from './wire.ts';

export const east = 'aws-us-east-1';
const south = 'gcp-us-east1';
export const link = { east: `/org/local/location/${east}`, south: `/org/local/location/${south}` } as const;

/** Creates a GVC in two locations of two providers; returns its name. */
export async function makeGvc(wire: Wire, spec: JsonObject = {}): Promise<string> {
  const name = wire.name('gvc');
  const staticPlacement = { locationLinks: [link.east, link.south] };
  await wire.ok('POST', 'gvc', { name, spec: { staticPlacement, ...spec } });
  return name;
}

const towns = new WeakMap<Wire, Promise<string>>();

/** The GVC that rows share if they do not need their own. */
export function town(wire: Wire): Promise<string> {
  const known = towns.get(wire) ?? makeGvc(wire);
  towns.set(wire, known);
  return known;
}

/** A GVC with sixty identities, which are more than a page; their names are in order. */
export async function filled(wire: Wire): Promise<{ readonly gvc: string; readonly names: readonly string[] }> {
  const gvc = await makeGvc(wire);
  const names = Array.from({ length: 60 }, (_, index) => `member${index}`);
  for (const name of names) await wire.ok('POST', `gvc/${gvc}/identity`, { name });
  return { gvc, names: names.toSorted() };
}

/** A container with one HTTP port. */
export function container(more: JsonObject = {}): JsonObject {
  return { name: 'main', image: 'shop/web:1', ports: [{ protocol: 'http', number: 8080 }], ...more };
}

/** A container that is valid in a cron workload. */
export function batch(more: JsonObject = {}): JsonObject {
  return { name: 'main', image: 'shop/report:1', ...more };
}

/** The smallest spec of the type, with more members. */
export function specOf(type: string, more: JsonObject = {}): JsonObject {
  if (type !== 'cron') return { type, containers: [container()], ...more };
  return { type, containers: [batch()], job: { schedule: '0 3 1 1 *' }, ...more };
}

/** Creates a workload; returns its path below the org. */
export async function makeWorkload(wire: Wire, gvc: string, spec: JsonObject): Promise<string> {
  const name = wire.name('work');
  await wire.ok('POST', `gvc/${gvc}/workload`, { name, spec });
  return `gvc/${gvc}/workload/${name}`;
}

/** Creates a volume set of 10 GB; returns its name. */
export async function makeVolumeSet(wire: Wire, gvc: string, spec: JsonObject = {}): Promise<string> {
  const name = wire.name('disk');
  const least = { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 10 };
  await wire.ok('POST', `gvc/${gvc}/volumeset`, { name, spec: { ...least, ...spec } });
  return name;
}

/** A stateful workload with so many replicas that mounts the volume set at `/data`. */
export function stateful(volumeSet: string, replicas = 1, more: JsonObject = {}): JsonObject {
  return specOf('stateful', {
    containers: [container({ volumes: [{ uri: `scheme://volumeset/${volumeSet}`, path: '/data' }] })],
    defaultOptions: { autoscaling: { metric: 'cpu', minScale: replicas, maxScale: replicas }, capacityAI: false },
    ...more,
  });
}

const pemKey = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey;

const secretData = {
  opaque: { payload: 'p' },
  docker: '{"auths":{"registry.example.com":{"username":"u","password":"p"}}}',
  userpass: { username: 'u', password: 'p' },
  keypair: { secretKey: pemKey },
  dictionary: { first: '1', second: '2' },
} as const;

/** Creates a secret; returns its full link. */
export async function makeSecret(wire: Wire, type: keyof typeof secretData): Promise<string> {
  const name = wire.name('secret');
  await wire.ok('POST', 'secret', { name, type, data: secretData[type] });
  return `/org/local/secret/${name}`;
}

/** Creates an identity in the GVC; returns its full link. */
export async function makeIdentity(wire: Wire, gvc: string): Promise<string> {
  const name = wire.name('identity');
  await wire.ok('POST', `gvc/${gvc}/identity`, { name });
  return `/org/local/gvc/${gvc}/identity/${name}`;
}

/** Creates a service account with a key, for requests by a caller other than the administrator. */
export async function makeCaller(wire: Wire): Promise<{ readonly link: string; readonly key: string }> {
  const name = wire.name('robot');
  await wire.ok('POST', 'serviceaccount', { name });
  const { key } = await wire.ok('POST', `serviceaccount/${name}/-addKey`, { description: 'test' });
  return { link: `/org/local/serviceaccount/${name}`, key: String(key) };
}

/** Gives a principal a permission on every record of a kind. */
export async function allow(wire: Wire, targetKind: string, permission: string, principal: string): Promise<void> {
  const bindings = [{ permissions: [permission], principalLinks: [principal] }];
  await wire.ok('POST', 'policy', { name: wire.name('policy'), targetKind, target: 'all', bindings });
}
