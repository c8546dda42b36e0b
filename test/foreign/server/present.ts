import { isList, isObject, type Json, type JsonObject, mapped, object, textOf, without } from './json.ts';
import type { SwitchName } from './switches.ts';

export type On = (name: SwitchName) => boolean;

/** The content of a record at one version. */
export interface Shown {
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  readonly id: string;
  readonly created: string;
  readonly modified: string;
  readonly version: number;
  readonly reads: number;
  /** Description, tags, spec, and other written fields. */
  readonly body: JsonObject;
}

export type Where = 'read' | 'item' | 'answer' | 'reveal';

const secretSwitches = {
  data: ['reveal-403-data', 'reveal-404-data', 'reads-show-data'],
  masked: ['reveal-403-masked', 'reveal-404-masked', 'reads-show-masked-data'],
} as const;

/** The record in the form of this platform. */
export function shown(record: Shown, where: Where, base: string, on: On): Json {
  const { kind, name, body } = record;
  if (where === 'item' && on('items-are-names')) return name;
  const spec = isObject(body['spec']) ? spelled(filled(kind, body['spec'], on), kind, base, on) : undefined;
  const rest = spelled(without(body, 'spec', 'tags', 'data', 'description'), kind, base, on);
  const content = object({
    ...(isObject(rest) ? rest : {}),
    spec: spec ?? (on('spec-empty') ? {} : on('spec-and-status-null') ? null : undefined),
    data: dataOf(body['data'], where, on),
  });
  const description =
    body['description'] ?? (on('default-description') ? name : on('description-empty') ? '' : undefined);
  const envelope = object({
    id: on('id-absent') ? undefined : record.id,
    kind,
    name,
    version: versionOf(record, where, on),
    description,
    tags: tagsOf(record, on),
    created: on('timestamps-absent') ? undefined : record.created,
    lastModified: on('timestamps-absent') ? undefined : on('modified-now') ? new Date().toISOString() : record.modified,
    links: linksOf(record.path, base, on),
    status: on('status-chatty') ? { reads: record.reads } : on('spec-and-status-null') ? null : undefined,
    ...(on('unknown-fields') ? { edition: 'blue', owner: { team: null, cost: [1, 2] } } : {}),
  });
  if (where === 'item' && on('items-with-links-only')) return object({ kind, name, links: envelope['links'] });
  const all = { ...envelope, ...(where === 'item' && on('items-without-spec') ? {} : content) };
  return where === 'item' && on('items-without-tags') ? without(all, 'tags') : all;
}

function dataOf(data: Json | undefined, where: Where, on: On): Json | undefined {
  if (data === undefined) return undefined;
  if (where === 'reveal') return on('reveal-masked') ? masked(data) : data;
  if (secretSwitches.data.some(on)) return data;
  if (secretSwitches.masked.some(on)) return masked(data);
  return on('reveal-404-empty') ? {} : undefined;
}

function masked(data: Json): Json {
  return mapped(data, (value) => (isObject(value) || isList(value) ? value : '********'));
}

/** The mask of this server in place of a secret. */
export const mask = '********';

function versionOf({ version, modified }: Shown, where: Where, on: On): Json | undefined {
  if (on('versions-absent') || (on('versions-not-in-items') && where === 'item')) return undefined;
  if (on('versions-only-in-items') && where !== 'item') return undefined;
  if (on('versions-time')) return modified;
  if (on('versions-constant')) return 1;
  return on('versions-text') ? String(version) : version;
}

function tagsOf({ body, version }: Shown, on: On): Json | undefined {
  const tags = isObject(body['tags']) ? body['tags'] : {};
  const entries = Object.entries(tags).map(([key, value]): [string, Json] => [
    on('tags-lower') ? key.toLowerCase() : key,
    on('tags-as-text') ? String(value) : on('tags-as-numbers') && /^\d+$/.test(String(value)) ? Number(value) : value,
  ]);
  const own = on('own-tags') || on('own-tags-change') ? { 'acme/zone': 'blue' } : {};
  const changing = on('own-tags-change') ? { 'acme/write': String(version) } : {};
  const all = { ...Object.fromEntries(entries), ...own, ...changing };
  return on('tags-absent') && Object.keys(all).length === 0 ? undefined : all;
}

/** `/org/local/gvc/shop` in the form of this platform. */
function linkOf(path: string, base: string, on: On): string {
  if (on('links-absolute')) return `${base}${path}`;
  if (on('links-https-elsewhere')) return `https://api.platform.example${path}`;
  if (on('links-short')) return path.replace(/^\/org\/[^/]+\//, '//');
  if (on('links-relative')) return path.replace(/^\/org\/[^/]+\//, '');
  return path;
}

function linksOf(path: string, base: string, on: On): Json | undefined {
  if (on('links-none')) return undefined;
  if (on('links-empty')) return [];
  const [, , org = '', , gvc = '', isInside] = path.split('/');
  return [
    { rel: 'self', href: linkOf(path, base, on) },
    { rel: 'org', href: on('links-absolute') ? `${base}/org/${org}` : `/org/${org}` },
    ...(isInside === undefined ? [] : [{ rel: 'gvc', href: linkOf(`/org/${org}/gvc/${gvc}`, base, on) }]),
  ];
}

/** The body with every default of this platform, whether it shows it or not. */
export function inForce(kind: string, body: JsonObject, on: On): JsonObject {
  const isHidden: readonly SwitchName[] = ['default-nothing', 'null-for-absent', 'empty-for-absent'];
  const { spec } = body;
  if (!isObject(spec)) return body;
  return { ...body, spec: filled(kind, spec, (name) => !isHidden.includes(name) && on(name)) };
}

/** The spec with the values that the platform fills in (2.4.1: `50m`, `128Mi`, `http`). */
function filled(kind: string, spec: JsonObject, on: On): JsonObject {
  if (kind === 'workload') return filledWorkload(spec, on);
  if (kind === 'gvc' && on('default-naming')) {
    return { endpointNamingFormat: 'default', loadBalancer: { dedicated: false, trustedProxies: 0 }, env: [], ...spec };
  }
  if (kind === 'domain' && on('default-tls')) {
    const extra = {
      tls: { minProtocolVersion: 'TLSV1_2', cipherSuites: ['AES256-GCM-SHA384'] },
      cors: { maxAge: '24h' },
    };
    return { certChallengeType: 'http01', acceptAllHosts: false, ...spec, ports: eachOf(spec['ports'], extra) };
  }
  return spec;
}

function filledWorkload(spec: JsonObject, on: On): JsonObject {
  const cpu = on('default-cpu-100m') ? '100m' : '50m';
  const memory = on('default-memory-256Mi') ? '256Mi' : '128Mi';
  const probe = { tcpSocket: { port: 8080 }, periodSeconds: 10, failureThreshold: 3 };
  const containers = listOf(spec['containers']).map((container) => {
    if (!isObject(container)) return container;
    const protocol = on('default-protocol-tcp') ? 'tcp' : 'http';
    return object({
      ...(on('default-nothing') ? {} : { cpu, memory }),
      ...(on('default-probe') && container['ports'] !== undefined ? { readinessProbe: probe } : {}),
      ...(on('null-for-absent') ? { workingDir: null, command: null, args: null, metrics: null, lifecycle: null } : {}),
      ...(on('empty-for-absent') ? { workingDir: '', command: '', args: [], env: [], lifecycle: {} } : {}),
      ...container,
      ports:
        container['ports'] === undefined || on('default-nothing')
          ? container['ports']
          : eachOf(container['ports'], { protocol }),
    });
  });
  const isStateful = textOf(spec['type']).toLowerCase() === 'stateful';
  const options = isObject(spec['defaultOptions']) ? spec['defaultOptions'] : undefined;
  const added = object({
    ...(on('default-options') ? { debug: false, suspend: false, spot: false, timeoutSeconds: 5 } : {}),
    ...(on('default-options') ? { multiZone: { enabled: false } } : {}),
    timeoutSeconds: on('default-timeout-15') ? 15 : on('default-options') ? 5 : undefined,
    capacityAI: on('default-capacityAI') && !isStateful ? true : undefined,
  });
  const firewall = isObject(spec['firewallConfig']) ? spec['firewallConfig'] : {};
  const external = { inboundAllowCIDR: [], inboundBlockedCIDR: [], outboundAllowCIDR: [], outboundAllowHostname: [] };
  const internal = { inboundAllowType: 'none', inboundAllowWorkload: [] };
  return object({
    ...spec,
    containers,
    defaultOptions: Object.keys(added).length > 0 ? { ...added, ...options } : options,
    firewallConfig: on('default-firewall')
      ? {
          external: { ...external, ...inside(firewall, 'external') },
          internal: { ...internal, ...inside(firewall, 'internal') },
        }
      : spec['firewallConfig'],
  });
}

function inside(value: JsonObject, key: string): JsonObject {
  const member = value[key];
  return isObject(member) ? member : {};
}

function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

function eachOf(list: Json | undefined, extra: JsonObject): readonly Json[] {
  return listOf(list).map((item) => (isObject(item) ? { ...extra, ...item } : item));
}

const link = /^(?:https?:\/\/[^/]+)?(?:\/org\/[^/]+\/|\/\/)(.+)$/;
const ordered = ['args', 'command', 'routes', 'bindings'];
const registry = 'registry.platform.example/';
const digest = '@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';

function spelled(content: JsonObject, kind: string, base: string, on: On): Json {
  return mapped(content, (value, key, path) => {
    if (typeof value === 'string') return spelledText(value, key, kind, path, base, on);
    if (typeof value === 'number') return on('numbers-as-text') ? String(value) : value;
    if (value === false) return on('false-not-shown') ? undefined : value;
    if (isList(value)) {
      if (on('absent-for-empty') && value.length === 0) return undefined;
      return on('lists-sorted') && !ordered.includes(key) ? value.toSorted(byText) : value;
    }
    if (isObject(value) && on('absent-for-empty') && Object.keys(value).length === 0) return undefined;
    return value;
  });
}

function byText(one: Json, other: Json): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

function spelledText(
  value: string,
  key: string,
  kind: string,
  path: readonly string[],
  base: string,
  on: On,
): Json | undefined {
  if (value === '' && on('absent-for-empty')) return undefined;
  if (key === 'type' && kind === 'workload' && path.length === 1) {
    if (on('type-capitalised')) return value.slice(0, 1).toUpperCase() + value.slice(1);
    if (on('type-upper')) return value.toUpperCase();
  }
  if (key === 'protocol' && on('protocol-upper')) return value.toUpperCase();
  if (key === 'performanceClass' && on('class-underscores')) return value.replaceAll('-', '_');
  const milli = /^(\d+)m$/.exec(value)?.[1];
  if (key === 'cpu' && milli !== undefined && on('cpu-as-cores')) return String(Number(milli) / 1000);
  const mebi = /^(\d+)Mi$/.exec(value)?.[1];
  if (key === 'memory' && mebi !== undefined) {
    if (on('memory-as-bytes')) return String(Number(mebi) * 1048576);
    if (on('memory-as-gi')) return `${Number(mebi) / 1024}Gi`;
  }
  if (key === 'image' && on('image-digest')) return `${value}${digest}`;
  if (key === 'image' && on('image-registry') && !value.includes('/')) return `${registry}${value}`;
  if (key === 'value' && on('text-as-number') && /^\d+$/.test(value)) return Number(value);
  const target = link.exec(value)?.[1];
  if (target === undefined) return value;
  if (on('values-short')) return `//${target}`;
  if (on('values-long')) return `/org/local/${target}`;
  return on('values-absolute') ? `${base}/org/local/${target}` : value;
}

/** The stored form of a written value, which may be in a form that this platform has shown. */
export function canonical(content: JsonObject, kind: string, on: On): JsonObject {
  const stored = mapped(content, (value, key, path) => {
    if (value === false && on('false-dropped')) return undefined;
    if (typeof value !== 'string') return value;
    if (key === 'type' && kind === 'workload' && path.length === 2) return value.toLowerCase();
    if (key === 'protocol') return value.toLowerCase();
    if (key === 'performanceClass') return value.replaceAll('_', '-');
    if (key === 'cpu' && on('cpu-as-cores') && /^0\.\d+$/.test(value)) return `${Math.round(Number(value) * 1000)}m`;
    if (key === 'memory' && on('memory-as-bytes') && /^\d+$/.test(value)) return `${Number(value) / 1048576}Mi`;
    if (key === 'memory' && on('memory-as-gi') && /^0\.\d+Gi$/.test(value))
      return `${Number.parseFloat(value) * 1024}Mi`;
    if (key === 'image') return value.replace(digest, '').replace(registry, '');
    if (on('numbers-as-text') && /^(number|port|initialCapacity|target|m..Scale)$/.test(key)) return Number(value);
    return value;
  });
  return isObject(stored) ? stored : {};
}

/** Links of a value in one spelling, to compare declared with stored values. */
export function longLinks(value: Json): Json {
  return mapped(value, (member) => {
    const target = typeof member === 'string' ? link.exec(member)?.[1] : undefined;
    return target === undefined ? member : `/org/local/${target}`;
  });
}
