import { isArray, isObject, type JsonObject, type JsonValue } from '../../../src/base/json/json.ts';
import type { ListForm } from './flat.ts';

/**
 * The oracle's knowledge of each kind, copied by hand from the specification and the fact sheets of the platform, and
 * not from the schema of the source, so that a mistake there does not hide itself.
 */

/**
 * Who decides on a field that the owner leaves out (design, "A manifest is the whole truth of what can be written").
 *
 * - `constant`: it returns to its default;
 * - `service`: the platform chooses; it is kept, unless the stack has set it before;
 * - `operational`: operators switch it; it is kept;
 * - `own`: of a custom kind, and tags: removed if the stack has set it before, otherwise kept.
 */
export type Fill = 'constant' | 'service' | 'operational' | 'own';

export interface Field {
  /** `*` matches the key of an item. */
  readonly at: string;
  readonly fill: Fill;
  /** The value if it is left out; absent if there is none. */
  readonly otherwise?: JsonValue;
  readonly values: readonly JsonValue[];
}

/** A list whose items have an identity, with the keys that worlds use. */
export interface Items {
  readonly at: string;
  readonly keys: readonly string[];
  /** Fields that an item must have. */
  readonly required?: Readonly<Record<string, readonly JsonValue[]>>;
  /** Other stacks may own items of the list (`lifecycle.part`). */
  readonly parts?: true;
  /** Items that no stack declared stay (custom kinds); in other lists they are removed. */
  readonly own?: true;
}

export interface KindForm {
  readonly kind: string;
  readonly scope: 'org' | 'gvc';
  readonly name: string;
  readonly lists: readonly ListForm[];
  /** The fields of every declaration. */
  readonly base: Readonly<Record<string, JsonValue>>;
  readonly fields: readonly Field[];
  readonly items: readonly Items[];
  /** A field that cannot be changed in place, and its values. */
  readonly immutable?: { readonly at: string; readonly values: readonly [JsonValue, ...JsonValue[]] };
  /** Fields that no manifest of these worlds sets and the platform fills in. */
  readonly filled?: readonly string[];
  /** Where a newer platform may have unknown fields. */
  readonly unknown: readonly string[];
  /** A list whose order matters if one of its keys begins with `^`. */
  readonly sequence?: string;
  /** A renaming needs no permission. */
  readonly renames?: true;
  /** Bindings of a policy have no key: a world records which principal has which permission. */
  readonly bindings?: true;
}

export const org = '/org/local';
export const locations = [`${org}/location/aws-eu-central-1`, `${org}/location/aws-us-east-1`];
/** Workloads that exist before each world, without an owner. */
export const workloads = ['red', 'blue', 'green'].map((name) => `${org}/gvc/base/workload/${name}`);
export const accounts = ['ada', 'bob', 'cyd', 'dan'].map((name) => `${org}/serviceaccount/${name}`);

/** The name of the record in each world. */
export const subject = 'subject';

const description: Field = {
  at: 'description',
  fill: 'constant',
  otherwise: subject,
  values: ['one text', 'another text'],
};
const variables = ['A', 'B', 'C', 'D'];
const texts: readonly JsonValue[] = ['1', '2', '3'];

const gvc: KindForm = {
  kind: 'gvc',
  scope: 'org',
  name: subject,
  lists: [{ at: 'spec|env', key: ['name'] }, { at: 'spec|staticPlacement|locationLinks' }],
  base: { [`spec|staticPlacement|locationLinks|${locations[0]}`]: true },
  fields: [
    description,
    { at: 'spec|endpointNamingFormat', fill: 'service', otherwise: 'org', values: ['legacy'] },
    { at: 'spec|loadBalancer|dedicated', fill: 'constant', otherwise: false, values: [true, false] },
    { at: 'spec|loadBalancer|trustedProxies', fill: 'constant', otherwise: 0, values: [0, 1, 2] },
  ],
  items: [
    { at: 'spec|env', keys: variables, required: { value: texts }, parts: true },
    { at: 'spec|staticPlacement|locationLinks', keys: locations.slice(1) },
  ],
  unknown: ['spec|future', 'spec|env|*|future', 'spec|loadBalancer|future'],
};

const options = 'spec|defaultOptions';
const scaling = `${options}|autoscaling`;

const workload: KindForm = {
  kind: 'workload',
  scope: 'gvc',
  name: subject,
  lists: [
    { at: 'spec|containers', key: ['name'] },
    { at: 'spec|containers|*|env', key: ['name'] },
    { at: 'spec|containers|*|ports', key: ['number'] },
    { at: 'spec|firewallConfig|external|inboundAllowCIDR' },
  ],
  base: {
    'spec|containers|main': true,
    'spec|containers|main|image': 'registry.example.com/main:1',
    'spec|containers|main|ports|8080': true,
  },
  fields: [
    description,
    {
      at: 'spec|containers|*|image',
      fill: 'constant',
      values: ['registry.example.com/main:2', 'registry.example.com/main:3'],
    },
    { at: 'spec|containers|*|cpu', fill: 'constant', otherwise: '50m', values: ['50m', '100m', '200m'] },
    { at: 'spec|containers|*|memory', fill: 'constant', otherwise: '128Mi', values: ['128Mi', '256Mi'] },
    { at: 'spec|containers|*|inheritEnv', fill: 'constant', otherwise: false, values: [true, false] },
    { at: 'spec|containers|*|workingDir', fill: 'constant', values: ['/one', '/two'] },
    { at: 'spec|containers|*|args', fill: 'constant', values: [['a'], ['a', 'b'], ['b', 'a']] },
    { at: 'spec|containers|*|ports|*|protocol', fill: 'constant', otherwise: 'http', values: ['http', 'http2'] },
    { at: `${options}|timeoutSeconds`, fill: 'constant', otherwise: 5, values: [5, 10, 20] },
    { at: `${options}|debug`, fill: 'operational', otherwise: false, values: [true, false] },
    { at: `${options}|suspend`, fill: 'operational', otherwise: false, values: [true, false] },
    { at: `${scaling}|minScale`, fill: 'service', values: [1, 2, 4] },
    { at: `${scaling}|maxScale`, fill: 'service', values: [3, 5, 8] },
    { at: `${scaling}|scaleToZeroDelay`, fill: 'constant', otherwise: 300, values: [300, 60, 90] },
    { at: `${scaling}|maxConcurrency`, fill: 'constant', otherwise: 0, values: [0, 10] },
    {
      at: 'spec|firewallConfig|internal|inboundAllowType',
      fill: 'constant',
      otherwise: 'none',
      values: ['none', 'same-gvc'],
    },
    { at: 'spec|supportDynamicTags', fill: 'constant', otherwise: false, values: [true, false] },
  ],
  items: [
    { at: 'spec|containers', keys: ['side'], required: { image: ['registry.example.com/side:1'] }, parts: true },
    { at: 'spec|containers|*|env', keys: variables, required: { value: texts } },
    { at: 'spec|firewallConfig|external|inboundAllowCIDR', keys: ['10.0.0.0/8', '192.168.0.0/16', '0.0.0.0/0'] },
  ],
  immutable: { at: 'spec|type', values: ['serverless', 'standard'] },
  filled: [`${scaling}|metric`, `${scaling}|target`],
  unknown: ['spec|future', 'spec|containers|*|future', 'spec|containers|*|env|*|future', `${options}|future`],
};

const domain: KindForm = {
  kind: 'domain',
  scope: 'org',
  name: `${subject}-attack.com`,
  lists: [
    { at: 'spec|ports', key: ['number'] },
    { at: 'spec|ports|*|routes', key: ['prefix', 'regex'] },
  ],
  base: { 'spec|ports|443': true, 'spec|ports|443|protocol': 'http2' },
  filled: ['spec|ports|*|tls|cipherSuites'],
  fields: [
    { ...description, otherwise: `${subject}-attack.com` },
    { at: 'spec|acceptAllHosts', fill: 'constant', otherwise: false, values: [false] },
    { at: 'spec|acceptAllSubdomains', fill: 'constant', otherwise: false, values: [false] },
    { at: 'spec|dnsMode', fill: 'constant', otherwise: 'cname', values: ['cname'] },
    {
      at: 'spec|ports|*|tls|minProtocolVersion',
      fill: 'constant',
      otherwise: 'TLSV1_2',
      values: ['TLSV1_2', 'TLSV1_3'],
    },
    { at: 'spec|ports|*|routes|*|replacePrefix', fill: 'constant', values: ['/x', '/y'] },
    { at: 'spec|ports|*|routes|*|port', fill: 'constant', values: [8080] },
    { at: 'spec|ports|*|routes|*|workloadLink', fill: 'constant', values: workloads },
  ],
  items: [
    {
      at: 'spec|ports|*|routes',
      keys: ['/', '/a', '/b', '/c', '/d', '^/y.*$'],
      required: { workloadLink: workloads },
      parts: true,
    },
  ],
  unknown: ['spec|future', 'spec|ports|*|routes|*|future'],
  sequence: 'spec|ports|443|routes',
};

const group: KindForm = {
  kind: 'group',
  scope: 'org',
  name: subject,
  renames: true,
  lists: [{ at: 'memberLinks' }],
  base: {},
  fields: [description],
  items: [{ at: 'memberLinks', keys: accounts, parts: true }],
  unknown: ['future'],
};

const policy: KindForm = {
  kind: 'policy',
  scope: 'org',
  name: subject,
  renames: true,
  lists: [{ at: 'bindings|*' }],
  base: { targetKind: 'gvc', target: 'all' },
  fields: [description],
  items: [{ at: 'bindings|*', keys: ['view', 'edit', 'manage'], parts: true }],
  unknown: [],
  bindings: true,
};

/** The record with its bindings by principal. */
export function byPrincipal(form: KindForm, record: JsonObject): JsonObject {
  const { bindings = [], ...rest } = record;
  if (form.bindings !== true || !isArray(bindings)) return record;
  const granted: Record<string, readonly JsonValue[]> = {};
  for (const binding of bindings.filter(isObject)) {
    const { principalLinks = [], permissions = [] } = binding;
    for (const principal of isArray(principalLinks) ? principalLinks.map(String) : []) {
      granted[principal] = [...(granted[principal] ?? []), ...(isArray(permissions) ? permissions : [])];
    }
  }
  return { ...rest, bindings: granted };
}

/** The reverse. No two bindings may grant the same permissions. */
export function asBindings(form: KindForm, record: JsonObject): JsonObject {
  const { bindings = {}, ...rest } = record;
  if (form.bindings !== true || !isObject(bindings)) return record;
  const groups = Map.groupBy(Object.entries(bindings), ([, of]) => JSON.stringify(isArray(of) ? of.toSorted() : of));
  const list = [...groups.values()].map((group) => ({
    permissions: group[0]?.[1] ?? [],
    principalLinks: group.map(([principal]) => principal),
  }));
  return list.length === 0 ? rest : { ...rest, bindings: list };
}

const ipset: KindForm = {
  kind: 'ipset',
  scope: 'org',
  name: subject,
  renames: true,
  lists: [{ at: 'spec|locations', key: ['name'] }],
  base: {},
  fields: [
    description,
    { at: 'spec|locations|*|retentionPolicy', fill: 'constant', otherwise: 'keep', values: ['keep', 'free'] },
  ],
  items: [{ at: 'spec|locations', keys: locations, required: { retentionPolicy: ['keep', 'free'] } }],
  unknown: ['spec|future', 'spec|locations|*|future'],
};

const secret: KindForm = {
  kind: 'secret',
  scope: 'org',
  name: subject,
  renames: true,
  lists: [],
  base: { type: 'dictionary', 'data|KEY': 'first' },
  fields: [
    description,
    ...['KEY', 'OTHER', 'THIRD'].map(
      (key): Field => ({ at: `data|${key}`, fill: 'constant', values: ['first', 'second'] }),
    ),
  ],
  items: [],
  unknown: ['future'],
};

const widget: KindForm = {
  kind: 'widget',
  scope: 'gvc',
  name: subject,
  renames: true,
  lists: [{ at: 'spec|rules', key: ['name'] }],
  base: {},
  fields: [
    description,
    { at: 'spec|a', fill: 'own', values: [1, 2] },
    { at: 'spec|deep|b', fill: 'own', values: ['x', 'y'] },
    { at: 'spec|deep|c', fill: 'own', values: [true, 'z'] },
    { at: 'spec|list', fill: 'own', values: [[1, 2], [2, 1], [{ n: 1 }]] },
    { at: 'extra|d', fill: 'own', values: [1, 'one'] },
    { at: 'spec|rules|*|v', fill: 'own', values: [1, 2] },
    { at: 'spec|rules|*|w', fill: 'own', values: ['x', 'y'] },
  ],
  items: [{ at: 'spec|rules', keys: ['r1', 'r2', 'r3'], required: { v: [1, 2] }, parts: true, own: true }],
  immutable: { at: 'spec|size', values: ['small', 'large'] },
  unknown: [],
};

const identity: KindForm = {
  kind: 'identity',
  scope: 'gvc',
  name: subject,
  renames: true,
  lists: [],
  base: {},
  fields: [description],
  items: [],
  unknown: ['future'],
};

/** The same kind with another name of the record, which is also its description if none is declared. */
export function renamed(form: KindForm, name: string): KindForm {
  const fields = form.fields.map((field) => (field.otherwise === form.name ? { ...field, otherwise: name } : field));
  return { ...form, name, fields };
}

export const kindForms: readonly [KindForm, ...KindForm[]] = [
  workload,
  gvc,
  domain,
  group,
  policy,
  ipset,
  secret,
  identity,
  widget,
];
