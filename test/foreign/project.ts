import { isList, isObject, type Json, type JsonObject, same, without } from './server/json.ts';
import { longLinks } from './server/present.ts';

/** The declared stack: nine resources, as manifests. */
export type Project = readonly JsonObject[];

const route = (prefix: string, workload: string): JsonObject => ({
  prefix,
  workloadLink: `//gvc/shop/workload/${workload}`,
  port: 8080,
});

// biome-ignore format: a row is a case
export const project: Project = [
  { kind: 'gvc', name: 'shop', description: 'The shop', tags: { team: 'shop', Tier: '1' },
    spec: { staticPlacement: { locationLinks: ['//location/aws-eu-central-1'] },
    env: [{ name: 'LOG_LEVEL', value: 'info' }] } },
  { kind: 'identity', name: 'backend', gvc: 'shop', description: 'Reads the database' },
  { kind: 'secret', name: 'shop-db', type: 'userpass', data: { username: 'shop', password: 'first-password' } },
  { kind: 'policy', name: 'shop-reveal', targetKind: 'secret', targetLinks: ['//secret/shop-db'],
    bindings: [{ permissions: ['reveal'], principalLinks: ['//gvc/shop/identity/backend'] }] },
  { kind: 'group', name: 'shop-team', memberLinks: ['//serviceaccount/robot'] },
  { kind: 'volumeset', name: 'files', gvc: 'shop',
    spec: { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 20 } },
  { kind: 'workload', name: 'web', gvc: 'shop', tags: { part: 'front' }, spec: { type: 'standard',
    containers: [{ name: 'main', image: 'nginx:1', inheritEnv: true, ports: [{ number: 8080, protocol: 'http' }],
    env: [{ name: 'B_MODE', value: 'fast' }, { name: 'A_COUNT', value: '1' }], args: ['--serve', '--all'] }],
    defaultOptions: { autoscaling: { metric: 'cpu', target: 80, minScale: 1, maxScale: 3 }, capacityAI: false },
    firewallConfig: { external: { inboundAllowCIDR: ['0.0.0.0/0'] } } } },
  { kind: 'workload', name: 'database', gvc: 'shop', spec: { type: 'stateful',
    identityLink: '//gvc/shop/identity/backend', containers: [{ name: 'postgres',
    image: 'registry.example.com/postgres:17', cpu: '100m', memory: '128Mi', ports: [{ number: 5432, protocol: 'tcp' }],
    env: [{ name: 'PASSWORD', value: 'scheme://secret/shop-db.password' }],
    volumes: [{ uri: 'scheme://volumeset/files', path: '/data' }] }] } },
  { kind: 'domain', name: 'shop.example.com',
    spec: { dnsMode: 'cname', ports: [{ number: 443, protocol: 'http2', routes: [route('/', 'web')] }] } },
];

export const guest: JsonObject = {
  tags: {},
  spec: { type: 'standard', containers: [{ name: 'main', image: 'nginx:1' }] },
};

/** Records of others, by path: of each kind some before and after ours in the order of names. */
export const strangers: readonly (readonly [path: string, body: JsonObject])[] = [
  ['/org/local/location/aws-eu-central-1', { tags: {} }],
  ['/org/local/location/aws-us-east-1', { tags: {} }],
  ['/org/local/serviceaccount/robot', { description: 'A robot', tags: {} }],
  ...['alien', 'zoo'].flatMap((name): readonly (readonly [string, JsonObject])[] => [
    [`/org/local/gvc/${name}`, { tags: { team: name }, spec: { env: [{ name: 'X', value: 'y' }] } }],
    [`/org/local/gvc/${name}/workload/a1`, guest],
    [`/org/local/gvc/${name}/workload/web`, guest],
    [`/org/local/gvc/${name}/identity/backend`, { tags: {} }],
    [`/org/local/gvc/${name}/volumeset/files`, { tags: {}, spec: { initialCapacity: 10, fileSystemType: 'xfs' } }],
    [`/org/local/secret/${name}-db`, { type: 'opaque', tags: {}, data: { payload: `payload-of-${name}` } }],
    [`/org/local/policy/${name}-reveal`, { targetKind: 'secret', targetLinks: [`//secret/${name}-db`], tags: {} }],
    [`/org/local/group/${name}-team`, { memberLinks: ['//serviceaccount/robot'], tags: { 'gantry/stack': 'other' } }],
    [`/org/local/domain/${name}.example.com`, { tags: {}, spec: { dnsMode: 'cname', ports: [] } }],
  ]),
];

export function pathOf(manifest: JsonObject): string {
  const { kind, name, gvc } = manifest;
  return gvc === undefined ? `/org/local/${kind}/${name}` : `/org/local/gvc/${gvc}/${kind}/${name}`;
}

/** The project with one resource changed, or removed. */
export function having(from: Project, id: string, change: (manifest: JsonObject) => JsonObject | undefined): Project {
  return from.flatMap((manifest) => {
    const changed = `${manifest['kind']}/${manifest['name']}` === id ? change(manifest) : manifest;
    return changed === undefined ? [] : [changed];
  });
}

/** The value with another value at the path; a number is an index. */
export function withAt(value: Json | undefined, path: readonly (string | number)[], next: Json | undefined): Json {
  const [head, ...rest] = path;
  if (head === undefined) return next ?? null;
  if (isList(value)) return value.map((item, index) => (index === head ? withAt(item, rest, next) : item));
  const before = isObject(value) ? value : {};
  const members = { ...before };
  if (rest.length === 0 && next === undefined) delete members[head];
  else members[head] = withAt(before[head], rest, next);
  return members;
}

/** The resource of the project with one value changed. */
export function setting(
  from: Project,
  id: string,
  path: readonly (string | number)[],
  next: Json | undefined,
): Project {
  return having(from, id, (manifest) => {
    const changed = withAt(manifest, path, next);
    return isObject(changed) ? changed : manifest;
  });
}

/** YAML documents, written as JSON. */
export function manifestsOf(from: Project): string {
  return from.map((manifest) => JSON.stringify(manifest, null, 1)).join('\n---\n');
}

/** How the record differs from the manifest; undefined if it does not. `doubted`: keys of tags that may stay. */
export function difference(
  manifest: JsonObject,
  record: JsonObject | undefined,
  doubted: readonly string[] = [],
): string | undefined {
  if (record === undefined) return 'there is no record';
  const lasting = Object.entries(manifest).filter(
    ([key]) => !['kind', 'name', 'gvc', 'lifecycle', 'tags'].includes(key),
  );
  for (const [key, declared] of lasting) {
    const found = differs(longLinks(declared), record[key] === undefined ? undefined : longLinks(record[key]), key);
    if (found !== undefined) return found;
  }
  const declared = tagsOf(manifest);
  const stored = without(tagsOf(record), ...doubted.filter((key) => declared[key] === undefined));
  return same(declared, stored) ? undefined : `tags: ${JSON.stringify(stored)} in place of ${JSON.stringify(declared)}`;
}

/** The tags that are not Gantry's own. */
function tagsOf(record: JsonObject): JsonObject {
  const tags = isObject(record['tags']) ? record['tags'] : {};
  return Object.fromEntries(
    Object.entries(tags).filter(([key, value]) => !key.startsWith('gantry/') && value !== null),
  );
}

/** Lists must have exactly the declared items; items with names or numbers may be in any order. */
function differs(declared: Json, found: Json | undefined, at: string): string | undefined {
  // A platform may append a list to the stored one: a link that appears twice is one member.
  const stored = at === 'memberLinks' && isList(found) ? [...new Set(found)] : found;
  if (isObject(declared)) {
    if (!isObject(stored)) return `${at}: ${JSON.stringify(stored)} in place of ${JSON.stringify(declared)}`;
    for (const [key, value] of Object.entries(declared)) {
      const difference = differs(value, stored[key], `${at}.${key}`);
      if (difference !== undefined) return difference;
    }
    return Object.keys(stored).some((key) => key.startsWith('$')) ? `${at}: a directive is stored` : undefined;
  }
  if (!isList(declared)) {
    if (declared === false && stored === undefined) return undefined;
    const isSame = typeof declared === 'string' ? String(stored).trim() === declared.trim() : stored === declared;
    return isSame ? undefined : `${at}: ${JSON.stringify(stored)} in place of ${JSON.stringify(declared)}`;
  }
  if (!isList(stored) || stored.length !== declared.length) {
    return `${at}: ${JSON.stringify(stored)} in place of ${JSON.stringify(declared)}`;
  }
  for (const [index, item] of declared.entries()) {
    const key = isObject(item) ? (item['name'] ?? item['number']) : undefined;
    const other =
      key === undefined ? stored[index] : stored.find((one) => isObject(one) && (one['name'] ?? one['number']) === key);
    const difference = differs(item, other, `${at}.${String(key ?? index)}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
