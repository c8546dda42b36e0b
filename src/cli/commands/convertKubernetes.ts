import { isObject, type JsonObject, type JsonValue, listAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import { addTo } from '../../base/multimap.ts';
import {
  accessManifests,
  type Converted,
  definedMembers,
  type Note,
  protocolOf,
  Source,
  secretManifest,
  variableOf,
  volumeSetManifest,
  type Workload,
  workloadManifest,
} from './convertFiles.ts';

/** Fields that a cluster writes into each object, fields that only name it, and redundant defaults. */
const ignoredFields: readonly RegExp[] = [
  /^(?:apiVersion|status|immutable)/,
  /(?:^|\.)metadata\.(?:name|namespace|labels|uid|resourceVersion|generation|creationTimestamp|managedFields)/,
  /^spec\.(?:selector|serviceName|ingressClassName|tls|clusterIP|clusterIPs|sessionAffinity|ipFamilies|internalTrafficPolicy)/,
  /(?:imagePullPolicy|terminationMessagePath|terminationMessagePolicy|dnsPolicy|schedulerName|storageClassName|volumeMode)$/,
  /^spec\.template\.spec\.restartPolicy$/,
];

/** The type that a secret gets, and its keys there. All others become dictionaries. */
const secretTypes: Readonly<
  Record<string, { readonly type: string; readonly keys: Readonly<Record<string, string>> }>
> = {
  'kubernetes.io/basic-auth': { type: 'userpass', keys: {} },
  'kubernetes.io/tls': { type: 'tls', keys: { 'tls.crt': 'cert', 'tls.key': 'key' } },
};

interface Item {
  readonly kind: string;
  readonly name: string;
  readonly id: string;
  readonly raw: JsonObject;
  readonly source: Source;
}

interface Conversion {
  readonly gvc: string;
  readonly items: readonly Item[];
  /** By kind and name. */
  readonly itemsByName: ReadonlyMap<string, Item>;
  /** By each label of their pods. */
  readonly itemsByLabel: ReadonlyMap<string, readonly Item[]>;
  readonly manifests: JsonObject[];
  readonly notes: Note[];
  /** Names of workloads that are reachable from outside. */
  readonly isPublic: Set<string>;
  /** Names of mounted config maps: only secrets can be mounted. */
  readonly mountedConfigMaps: Set<string>;
}

type Convert = (conversion: Conversion, item: Item) => void;

/** In dependency order. */
const conversions: Readonly<Record<string, Convert>> = {
  Secret: convertSecret,
  Service: convertService,
  Ingress: convertIngress,
  Deployment: (conversion, item) => convertPods(conversion, item, 'standard'),
  StatefulSet: (conversion, item) => convertPods(conversion, item, 'stateful'),
  CronJob: (conversion, item) => convertPods(conversion, item, 'cron'),
  PersistentVolumeClaim: ({ gvc, manifests }, { name, source }) => void manifests.push(volumeSetOf(gvc, name, source)),
  ConfigMap: convertConfigMap,
};

/** Converts objects of a cluster to manifests of one GVC. */
export function convertKubernetes(documents: readonly JsonObject[], gvc: string): Converted {
  const flat = documents.flatMap((each) => (stringAt(each, 'kind') === 'List' ? listAt(each, 'items') : [each]));
  const items = flat.filter(isObject).map((raw): Item => {
    const [kind, name] = [stringAt(raw, 'kind') ?? '', nameIn(raw)];
    const source = new Source(raw);
    source.take('kind');
    source.object('metadata').object('annotations');
    return { kind, name, id: `${kind.toLowerCase()}/${name}`, raw, source };
  });
  const conversion: Conversion = {
    gvc,
    items,
    itemsByName: new Map(items.toReversed().map((item) => [keyOf(item.kind, item.name), item])),
    itemsByLabel: byLabel(items),
    manifests: [],
    notes: [],
    isPublic: new Set(),
    mountedConfigMaps: new Set(),
  };
  for (const [kind, convert] of Object.entries(conversions)) {
    for (const item of items) if (item.kind === kind) convert(conversion, item);
  }
  for (const { id, kind, source } of items) {
    if (!Object.hasOwn(conversions, kind))
      conversion.notes.push({ about: id, message: 'this kind has no counterpart' });
    else {
      const left = source.unusedPaths().filter((path) => !ignoredFields.some((pattern) => pattern.test(path)));
      conversion.notes.push(
        ...left.map((path) => ({ about: `${id} ${path}`, message: 'this field has no counterpart' })),
      );
    }
  }
  return conversion;
}

function nameIn(raw: JsonObject): string {
  return stringAt(objectAt(raw, 'metadata'), 'name') ?? '';
}

function keyOf(...parts: readonly (JsonValue | undefined)[]): string {
  return JSON.stringify(parts);
}

function byLabel(items: readonly Item[]): ReadonlyMap<string, readonly Item[]> {
  const found = new Map<string, Item[]>();
  for (const item of items) {
    for (const [name, value] of Object.entries(podLabels(item))) addTo(found, keyOf(name, value), item);
  }
  return found;
}

function podLabels({ raw }: Item): JsonObject {
  return objectAt(objectAt(objectAt(objectAt(raw, 'spec'), 'template'), 'metadata'), 'labels');
}

function find({ itemsByName }: Conversion, kind: string, name: string | undefined): JsonObject | undefined {
  return itemsByName.get(keyOf(kind, name))?.raw;
}

function keysOfSecret(raw: JsonObject): readonly string[] {
  return [...new Set(['data', 'stringData'].flatMap((part) => Object.keys(objectAt(raw, part))))];
}

/** The name of a secret's key in its new type. */
function newKey(raw: JsonObject | undefined, key: string): string {
  return secretTypes[stringAt(raw ?? {}, 'type') ?? '']?.keys[key] ?? key;
}

function convertSecret({ manifests, notes }: Conversion, { name, id, raw, source }: Item): void {
  for (const key of ['type', 'data', 'stringData']) source.take(key);
  const secretType = stringAt(raw, 'type') ?? '';
  if (secretType.startsWith('kubernetes.io/dockerc')) {
    const message = 'create it with gantry secret create-docker, and link it in spec.pullSecretLinks of the GVC';
    notes.push({ about: id, message });
    return;
  }
  const keys = new Map(keysOfSecret(raw).map((key) => [newKey(raw, key), variableOf(name, key)]));
  manifests.push(secretManifest(name, secretTypes[secretType]?.type ?? 'dictionary', keys));
  const variables = [...keys.values()].join(', ');
  notes.push({ about: id, message: `its values were not copied: set ${variables} when you plan and apply` });
}

/** A workload is called by its own name and port, so a service needs no record. */
function convertService(conversion: Conversion, { id, raw, source }: Item): void {
  const { gvc, isPublic, notes } = conversion;
  const spec = source.object('spec');
  const type = spec.text('type') ?? 'ClusterIP';
  spec.take('ports');
  const target = selectedBy(conversion, raw);
  if (target === undefined) {
    notes.push({ about: id, message: 'it selects no workload of these files' });
    return;
  }
  if (type === 'LoadBalancer' || type === 'NodePort') isPublic.add(target.name);
  const ports = listAt(objectAt(raw, 'spec'), 'ports').filter(isObject);
  const numbers = ports.map((port) => portOf(target, own(port, 'targetPort') ?? own(port, 'port')) ?? '?');
  const address = numbers.map((number) => `${target.name}.${gvc}.scheme.local:${number}`).join(' and ');
  notes.push({ about: id, message: `services do not exist: callers use ${address}` });
}

function selectedBy({ itemsByLabel }: Conversion, service: JsonObject): Item | undefined {
  const selector = Object.entries(objectAt(objectAt(service, 'spec'), 'selector'));
  const [fewest] = selector
    .map(([key, value]) => itemsByLabel.get(keyOf(key, value)) ?? [])
    .toSorted((a, b) => a.length - b.length);
  return fewest?.find((item) => selector.every(([key, value]) => own(podLabels(item), key) === value));
}

/** The number of a workload's port, which may be given by name. */
function portOf({ raw }: Pick<Item, 'raw'>, port: JsonValue | undefined): number | undefined {
  if (typeof port === 'number') return port;
  const pods = objectAt(objectAt(objectAt(raw, 'spec'), 'template'), 'spec');
  const ports = listAt(pods, 'containers')
    .filter(isObject)
    .flatMap((each) => listAt(each, 'ports'))
    .filter(isObject);
  const number = own(ports.find((each) => own(each, 'name') === port) ?? {}, 'containerPort');
  return typeof number === 'number' ? number : undefined;
}

function convertIngress(conversion: Conversion, { id, raw, source }: Item): void {
  const { gvc, manifests, notes, isPublic } = conversion;
  source.object('spec').take('rules');
  for (const rule of listAt(objectAt(raw, 'spec'), 'rules').filter(isObject)) {
    const host = stringAt(rule, 'host');
    const routes = listAt(objectAt(rule, 'http'), 'paths')
      .filter(isObject)
      .flatMap((path) => {
        const service = objectAt(objectAt(path, 'backend'), 'service');
        const found = find(conversion, 'Service', stringAt(service, 'name'));
        const target = found === undefined ? undefined : selectedBy(conversion, found);
        if (found === undefined || target === undefined) return [];
        isPublic.add(target.name);
        const servicePort = objectAt(service, 'port');
        const port = listAt(objectAt(found, 'spec'), 'ports')
          .filter(isObject)
          .find(
            (each) =>
              own(each, 'port') === own(servicePort, 'number') ||
              (own(servicePort, 'name') !== undefined && own(each, 'name') === own(servicePort, 'name')),
          );
        return definedMembers({
          prefix: stringAt(path, 'path') ?? '/',
          workloadLink: `//gvc/${gvc}/workload/${target.name}`,
          port: portOf(target, own(port ?? {}, 'targetPort') ?? own(port ?? {}, 'port')),
        });
      });
    if (host === undefined || routes.length === 0) {
      const message =
        host === undefined ? 'a rule without a host needs a domain' : `no workload of these files answers ${host}`;
      notes.push({ about: id, message });
    } else {
      const ports = [{ number: 443, protocol: 'http', routes, tls: {} }];
      manifests.push({ kind: 'domain', name: host, spec: { dnsMode: 'cname', ports } });
    }
  }
}

/** A mounted config map becomes a secret; one that is read as environment is already part of the workload. */
function convertConfigMap({ manifests, notes, mountedConfigMaps }: Conversion, { name, id, raw, source }: Item): void {
  source.take('data');
  if (!mountedConfigMaps.has(name)) return;
  manifests.push({ kind: 'secret', name, type: 'dictionary', data: objectAt(raw, 'data') });
  notes.push({ about: id, message: 'it is mounted, so it became a secret of the type dictionary' });
}

function volumeSetOf(gvc: string, name: string, claim: Source): JsonObject {
  const spec = claim.object('spec');
  const modes = spec.texts('accessModes');
  return volumeSetManifest(
    gvc,
    name,
    spec.object('resources').object('requests').text('storage'),
    modes.includes('ReadWriteMany'),
  );
}

function convertPods(conversion: Conversion, item: Item, type: Workload['type']): void {
  const { gvc, manifests, notes } = conversion;
  const { name, id } = item;
  const spec = item.source.object('spec');
  const jobSpec = spec.object('jobTemplate').object('spec');
  const template = (type === 'cron' ? jobSpec : spec).object('template');
  template.object('metadata').object('annotations');
  const pods = template.object('spec');
  const claims = new Map<string, string>();
  for (const claim of spec.objects('volumeClaimTemplates')) {
    const of = claim.object('metadata').text('name') ?? '';
    for (const key of ['kind', 'apiVersion']) claim.take(key);
    manifests.push(volumeSetOf(gvc, `${name}-${of}`, claim));
    claims.set(of, `scheme://volumeset/${name}-${of}`);
  }
  const secrets = new Set<string>();
  const volumes = new Map([
    ...claims,
    ...pods.objects('volumes').map((volume) => volumeOf(conversion, volume, secrets)),
  ]);
  const containers = pods
    .objects('containers')
    .map((each) => containerOf(conversion, item, each, { type, volumes, secrets }));
  const mountsDisk = type === 'standard' && [...volumes.values()].some((uri) => isDisk(conversion, uri));
  if (mountsDisk) notes.push({ about: id, message: 'it mounts a volume, so it became a stateful workload' });
  const restart = pods.text('restartPolicy');
  const job = definedMembers({
    schedule: spec.text('schedule'),
    concurrencyPolicy: spec.text('concurrencyPolicy') ?? 'Allow',
    historyLimit: spec.number('successfulJobsHistoryLimit'),
    restartPolicy: restart === 'OnFailure' ? restart : 'Never',
    activeDeadlineSeconds: jobSpec.number('activeDeadlineSeconds'),
  });
  const workload: Workload = {
    gvc,
    name,
    type: mountsDisk ? 'stateful' : type,
    tags: objectAt(objectAt(item.raw, 'metadata'), 'labels'),
    containers,
    replicas: type === 'cron' ? undefined : (spec.number('replicas') ?? 1),
    suspend: spec.take('suspend') === true,
    ...(type === 'cron' ? { job } : {}),
    terminationSeconds: pods.number('terminationGracePeriodSeconds'),
    isPublic: conversion.isPublic.has(name),
    secrets,
  };
  manifests.push(...accessManifests(workload), workloadManifest(workload));
}

/** Whether it is a volume set for one workload only. */
function isDisk(conversion: Conversion, uri: string): boolean {
  const claim = find(conversion, 'PersistentVolumeClaim', /^scheme:\/\/volumeset\/(.*)$/.exec(uri)?.[1]);
  return claim !== undefined && !listAt(objectAt(claim, 'spec'), 'accessModes').includes('ReadWriteMany');
}

function volumeOf({ mountedConfigMaps }: Conversion, volume: Source, secrets: Set<string>): [string, string] {
  const name = volume.text('name') ?? '';
  const claim = volume.object('persistentVolumeClaim').text('claimName');
  if (claim !== undefined) return [name, `scheme://volumeset/${claim}`];
  const map = volume.object('configMap').text('name');
  if (map !== undefined) mountedConfigMaps.add(map);
  const secret = map ?? volume.object('secret').text('secretName');
  if (secret === undefined) {
    volume.take('emptyDir');
    return [name, `scratch://${name}`];
  }
  secrets.add(secret);
  return [name, `scheme://secret/${secret}`];
}

interface PodParts {
  readonly type: Workload['type'];
  readonly volumes: ReadonlyMap<string, string>;
  readonly secrets: Set<string>;
}

function containerOf(
  conversion: Conversion,
  item: Item,
  source: Source,
  { type, volumes, secrets }: PodParts,
): JsonObject {
  const [command, ...before] = source.texts('command');
  const args = [...before, ...source.texts('args')];
  const env = [
    ...source.objects('envFrom').flatMap((each) => allOf(conversion, each, secrets)),
    ...source.objects('env').flatMap((each) => variableIn(conversion, each, secrets)),
  ];
  const ports =
    type === 'cron'
      ? []
      : source.objects('ports').map((port) => {
          const [number, hint] = [port.number('containerPort') ?? 0, port.text('name')];
          if (port.has('protocol') && port.text('protocol') === 'UDP') {
            conversion.notes.push({ about: item.id, message: `port ${number} is UDP, and there is TCP only` });
          }
          return { number, protocol: protocolOf(hint, number) };
        });
  const limits = source.object('resources').object('limits');
  const requests = source.object('resources').object('requests');
  const mounts = source.objects('volumeMounts').map((mount) => {
    const part = mount.text('subPath');
    mount.take('readOnly');
    const uri = volumes.get(mount.text('name') ?? '') ?? '';
    return {
      uri: part !== undefined && uri.startsWith('scheme://secret/') ? `${uri}.${part}` : uri,
      path: mount.text('mountPath') ?? '',
    };
  });
  const probe = (key: string) => (type === 'cron' || !source.has(key) ? undefined : probeOf(item, source.take(key)));
  return definedMembers({
    name: source.text('name'),
    image: source.text('image'),
    command,
    args: args.length > 0 ? args : undefined,
    workingDir: source.text('workingDir'),
    cpu: limits.text('cpu') ?? requests.text('cpu'),
    memory: limits.text('memory') ?? requests.text('memory'),
    env: env.length > 0 ? env : undefined,
    ports: ports.length > 0 ? ports : undefined,
    readinessProbe: probe('readinessProbe'),
    livenessProbe: probe('livenessProbe'),
    volumes: mounts.length > 0 ? mounts : undefined,
  });
}

/** A probe with the same fields; its port may be given by name. */
function probeOf(item: Item, probe: JsonValue | undefined): JsonValue | undefined {
  if (!isObject(probe)) return probe;
  return Object.fromEntries(
    Object.entries(probe).map(([key, value]): [string, JsonValue] => {
      if (!isObject(value) || own(value, 'port') === undefined) return [key, value];
      return [key, { ...value, port: portOf(item, own(value, 'port')) ?? null }];
    }),
  );
}

function variableIn(conversion: Conversion, source: Source, secrets: Set<string>): readonly JsonObject[] {
  const name = source.text('name') ?? '';
  if (source.has('value')) return [{ name, value: source.text('value') ?? '' }];
  const from = source.object('valueFrom');
  const ofSecret = from.object('secretKeyRef');
  const secret = ofSecret.text('name');
  if (secret !== undefined) {
    secrets.add(secret);
    const key = newKey(find(conversion, 'Secret', secret), ofSecret.text('key') ?? '');
    return [{ name, value: `scheme://secret/${secret}.${key}` }];
  }
  const ofMap = from.object('configMapKeyRef');
  const map = find(conversion, 'ConfigMap', ofMap.text('name'));
  const value = map === undefined ? undefined : stringAt(objectAt(map, 'data'), ofMap.text('key') ?? '');
  return value === undefined ? [] : [{ name, value }];
}

function allOf(conversion: Conversion, source: Source, secrets: Set<string>): readonly JsonObject[] {
  const prefix = source.text('prefix') ?? '';
  const map = find(conversion, 'ConfigMap', source.object('configMapRef').text('name'));
  const plain = Object.entries(objectAt(map ?? {}, 'data'))
    .map(([key, value]) => ({ name: `${prefix}${key}`, value }))
    .filter(({ name }) => /^[A-Za-z_]\w*$/.test(name)); // a file in the map is not a variable
  const secret = source.object('secretRef').text('name');
  const raw = find(conversion, 'Secret', secret);
  if (secret === undefined || raw === undefined) return plain;
  secrets.add(secret);
  return [
    ...plain,
    ...keysOfSecret(raw).map((key) => ({
      name: `${prefix}${key}`,
      value: `scheme://secret/${secret}.${newKey(raw, key)}`,
    })),
  ];
}
