import { isArray, isObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';

/** Only the members that have a value. */
export function definedMembers(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    compact(Object.entries(members), ([key, value]): [string, JsonValue] | undefined =>
      value === undefined ? undefined : [key, value],
    ),
  );
}

export interface Workload {
  readonly gvc: string;
  readonly name: string;
  readonly type: 'standard' | 'stateful' | 'cron';
  readonly tags?: JsonObject | undefined;
  readonly containers: readonly JsonObject[];
  /** Undefined: one, or as many as the load requires. */
  readonly replicas?: number | undefined;
  readonly suspend?: boolean | undefined;
  readonly job?: JsonObject;
  readonly terminationSeconds?: number | undefined;
  readonly isPublic: boolean;
  /** The names of the secrets that it reads. */
  readonly secrets: ReadonlySet<string>;
}

/** A workload as the two other platforms run it: its whole GVC may call it, and it may call everything. */
export function workloadManifest(workload: Workload): JsonObject {
  const { gvc, name, type, tags, containers, replicas, isPublic, secrets } = workload;
  const isCron = type === 'cron';
  const suspend = workload.suspend === true || replicas === 0 ? true : undefined;
  const scale =
    isCron || replicas === undefined || replicas === 0 ? undefined : { minScale: replicas, maxScale: replicas };
  const defaults = definedMembers({ autoscaling: scale, capacityAI: type === 'standard' ? false : undefined, suspend });
  return definedMembers({
    kind: 'workload',
    name,
    gvc,
    tags: tags !== undefined && Object.keys(tags).length > 0 ? tags : undefined,
    spec: definedMembers({
      type,
      identityLink: secrets.size > 0 ? `//gvc/${gvc}/identity/${name}` : undefined,
      containers,
      defaultOptions: Object.keys(defaults).length > 0 ? defaults : undefined,
      job: workload.job,
      rolloutOptions:
        workload.terminationSeconds === undefined || isCron
          ? undefined
          : { terminationGracePeriodSeconds: workload.terminationSeconds },
      firewallConfig: {
        external: definedMembers({
          inboundAllowCIDR: isPublic ? ['0.0.0.0/0'] : undefined,
          outboundAllowCIDR: ['0.0.0.0/0'],
        }),
        internal: { inboundAllowType: 'same-gvc' },
      },
    }),
  });
}

/** Gives a workload access to its secrets: its identity, and one policy. */
export function accessManifests({ gvc, name, secrets }: Workload): readonly JsonObject[] {
  if (secrets.size === 0) return [];
  return [
    { kind: 'identity', name, gvc },
    {
      kind: 'policy',
      name: `${gvc}-${name}-secrets`,
      targetKind: 'secret',
      targetLinks: [...secrets].map((secret) => `//secret/${secret}`),
      bindings: [{ permissions: ['reveal'], principalLinks: [`//gvc/${gvc}/identity/${name}`] }],
    },
  ];
}

/** The platform's minimum capacity. */
const leastGb = 10;
const bytes: Readonly<Record<string, number>> = {
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
};

export function volumeSetManifest(gvc: string, name: string, size: string | undefined, isShared: boolean): JsonObject {
  const [, amount = '0', unit = ''] = /^([\d.]+)([A-Za-z]*)$/.exec(size ?? '') ?? [];
  const gb = Math.ceil((Number(amount) * (bytes[unit] ?? 1)) / 2 ** 30);
  const kind = isShared
    ? { fileSystemType: 'shared', performanceClass: 'shared' }
    : { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd' };
  return { kind: 'volumeset', name, gvc, spec: { initialCapacity: Math.max(leastGb, gb), ...kind } };
}

/** Secret values come from the environment of the applying command: they are never written into a file. */
export function secretManifest(name: string, type: string, keys: ReadonlyMap<string, string>): JsonObject {
  const data = [...keys].map(([key, variable]): [string, JsonValue] => [key, { fromEnv: variable }]);
  return { kind: 'secret', name, type, data: Object.fromEntries(data) };
}

/** For example `SHOP_DATABASE_PASSWORD`. */
export function variableOf(...words: readonly string[]): string {
  return words
    .join('_')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
}

/** HTTP is routed by path; other ports are plain TCP. */
export function protocolOf(hint: string | undefined, port: number): string {
  if (hint !== undefined && /^grpc/i.test(hint)) return 'grpc';
  if (hint !== undefined && /^(?:http2|h2c?)/i.test(hint)) return 'http2';
  const isHttp = /^(?:http|web)/i.test(hint ?? '') || [80, 3000, 5000, 8000, 8080, 8888].includes(port);
  return isHttp ? 'http' : 'tcp';
}

/** The manifests for files of another platform. */
export interface Converted {
  readonly manifests: readonly JsonObject[];
  /** Settings without a counterpart, and manual steps. */
  readonly notes: readonly Note[];
}

export interface Note {
  /** For example `deployment/web spec.strategy`. */
  readonly about: string;
  readonly message: string;
}

/**
 * An object whose members are taken one by one. Members that were not taken have no counterpart, so their list is
 * complete without a table of unsupported fields.
 */
export class Source {
  readonly #members: Map<string, JsonValue>;
  readonly #objects = new Map<string, Source>();

  constructor(value: JsonValue | undefined) {
    this.#members = new Map(isObject(value) ? Object.entries(value) : []);
  }

  take(key: string): JsonValue | undefined {
    const value = this.#members.get(key);
    this.#members.delete(key);
    return value;
  }

  has(key: string): boolean {
    return this.#members.has(key);
  }

  keys(): readonly string[] {
    return [...this.#members.keys()];
  }

  /** Empty if it does not exist. */
  object(key: string): Source {
    const known = this.#objects.get(key);
    if (known !== undefined) return known;
    const made = new Source(isObject(this.#members.get(key) ?? {}) ? this.take(key) : undefined);
    this.#objects.set(key, made);
    return made;
  }

  objects(key: string): readonly Source[] {
    const list = this.#members.get(key);
    return isArray(list) ? list.map((_, index) => this.#at(key, index, list)) : [];
  }

  /** Numbers and booleans are converted to text. */
  text(key: string): string | undefined {
    const value = this.#members.get(key);
    if (value === undefined || value === null || typeof value === 'object') return undefined;
    this.#members.delete(key);
    return String(value);
  }

  number(key: string): number | undefined {
    const value = this.#members.get(key);
    if (typeof value !== 'number') return undefined;
    this.#members.delete(key);
    return value;
  }

  /** A list of texts; a single text becomes a list of one. */
  texts(key: string): readonly string[] {
    const value = this.take(key);
    return (isArray(value) ? value : value === undefined || value === null ? [] : [value]).map(String);
  }

  /** The paths of all remaining members, except empty ones. */
  unusedPaths(): readonly string[] {
    const own = [...this.#members].filter(([, value]) => !isEmpty(value)).map(([key]) => key);
    const below = [...this.#objects].flatMap(([key, object]) => object.unusedPaths().map((path) => `${key}.${path}`));
    return [...own, ...below].sort();
  }

  #at(key: string, index: number, list: readonly JsonValue[]): Source {
    const at = `${key}[${index}]`;
    const known = this.#objects.get(at) ?? new Source(list[index]);
    this.#objects.set(at, known);
    if (index === list.length - 1) this.#members.delete(key);
    return known;
  }
}

function isEmpty(value: JsonValue): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
