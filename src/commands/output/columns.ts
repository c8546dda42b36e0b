import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  numberAt,
  objectAt,
  own,
  stringAt,
} from '../../base/json/json.ts';
import { readyLocations } from '../../change/status/workloadStatus.ts';
import { isReady } from '../../kinds/workload/readiness.ts';
import { withoutOwnTags } from '../../manifest/model/ownTags.ts';
import { lastSegment } from '../../schema/record/links.ts';
import type { TableColumn } from '../../terminal/table.ts';
import { startOf, textWidth } from '../../terminal/textWidth.ts';
import { gvcOf, nameOf } from '../call/records.ts';

/** One column of a table. Those with the rank 5 go first where the terminal is narrow, those without a rank never. */
export interface Column extends TableColumn {
  readonly of: (record: JsonObject) => string;
  /** The value for `-o wide`. */
  readonly wide?: (record: JsonObject) => string;
  /** It holds a time, in ISO 8601. */
  readonly isTime?: true;
}

const longestDescription = 40;

const name: Column = { title: 'NAME', of: (record) => nameOf(record) ?? '' };
const description: Column = {
  title: 'DESCRIPTION',
  rank: 4,
  isProse: true,
  of: (record) => {
    const text = stringAt(record, 'description') ?? '';
    if (text === nameOf(record)) return '';
    return textWidth(text) <= longestDescription ? text : `${startOf(text, longestDescription - 1)}…`;
  },
  wide: (record) => stringAt(record, 'description') ?? '',
};
const created = time('CREATED', 'created');
const gvc: Column = { title: 'GVC', rank: 2, of: (record) => gvcOf(record) ?? '' };
const origin = member('ORIGIN', 'origin');
const tags: Column = {
  title: 'TAGS',
  rank: 5,
  isProse: true,
  of: (record) => tagsText(withoutOwnTags(record)),
  wide: (record) => tagsText(record),
};

/** The columns of each kind of record (platform/clients.columns). */
const byKind: Readonly<Record<string, readonly Column[]>> = {
  gvc: [
    name,
    description,
    created,
    member('ALIAS', 'alias'),
    member('DOMAIN', 'spec', 'domain'),
    lastNames('LOCATIONS', (record) => listAt(objectAt(objectAt(record, 'spec'), 'staticPlacement'), 'locationLinks')),
    tags,
  ],
  workload: [
    name,
    description,
    gvc,
    { title: 'READY', of: readyOf },
    created,
    {
      title: 'ENDPOINT',
      of: (record) => at(record, 'status', 'canonicalEndpoint') || at(record, 'status', 'endpoint'),
    },
    tags,
  ],
  domain: [name, description, member('STATUS', 'status', 'status'), tags],
  volumeset: [
    name,
    description,
    gvc,
    created,
    { ...member('PERFORMANCE CLASS', 'spec', 'performanceClass'), short: 'CLASS' },
    { ...member('FILE SYSTEM TYPE', 'spec', 'fileSystemType'), short: 'FS' },
    tags,
  ],
  identity: [
    name,
    description,
    gvc,
    { ...member('LOCAL NAME', 'status', 'objectName'), rank: 3 },
    created,
    {
      title: 'PROVIDERS',
      rank: 2,
      of: (record) => ['aws', 'gcp', 'azure', 'ngs'].filter((provider) => isObject(own(record, provider))).join(' '),
    },
    tags,
  ],
  ipset: [
    name,
    description,
    { title: 'LINK', rank: 2, of: (record) => at(record, 'spec', 'link') },
    lastNames('LOCATIONS', (record) =>
      listAt(objectAt(record, 'spec'), 'locations').map((each) => (isObject(each) ? (own(each, 'name') ?? '') : '')),
    ),
    tags,
  ],
  group: [name, description, created, { title: 'FILTER', rank: 3, isProse: true, of: filterOf }, origin, tags],
  serviceaccount: [
    name,
    description,
    created,
    origin,
    { title: 'KEYS', rank: 2, of: (record) => String(listAt(record, 'keys').length) },
    tags,
  ],
  auditctx: [name, description, origin, tags],
  task: [
    member('ID', 'id'),
    description,
    member('TYPE', 'type'),
    member('TARGET', 'targetEmail'),
    created,
    { title: 'STATUS', rank: 2, of: (record) => plain(own(record, 'status')) },
  ],
  location: [
    name,
    description,
    member('PROVIDER', 'provider'),
    { title: 'ENABLED', rank: 2, of: (record) => at(record, 'spec', 'enabled') },
    member('REGION', 'region'),
    origin,
    tags,
  ],
  secret: [name, description, member('TYPE', 'type'), created, tags],
  policy: [
    name,
    description,
    { ...member('TARGET KIND', 'targetKind'), short: 'KIND' },
    { title: 'BINDINGS', rank: 2, of: (record) => String(listAt(record, 'bindings').length) },
    origin,
    tags,
  ],
  user: [name, member('EMAIL', 'email'), member('IDP', 'idp'), created, tags],
  image: [name, member('REPOSITORY', 'repository'), member('TAG', 'tag'), created, member('DIGEST', 'digest')],
  quota: [name, description, member('CURRENT', 'current'), member('MAX', 'max'), member('UNIT', 'unit')],
  deployment: [
    { title: 'LOCATION', of: (record) => stringAt(record, 'name') ?? '' },
    time('MODIFIED', 'lastModified'),
    {
      title: 'STATUS',
      isProse: true,
      of: (record) => {
        const status = objectAt(record, 'status');
        if (isReady(record)) return 'ready';
        return stringAt(status, 'message') || (own(status, 'deploying') === true ? 'deploying' : 'not ready');
      },
    },
  ],
  event: [
    member('ID', 'id'),
    { title: 'STATUS', of: (record) => at(record, 'status') },
    created,
    {
      title: 'CONTEXT',
      rank: 2,
      isProse: true,
      of: (record) =>
        Object.entries(objectAt(record, 'context'))
          .map(([key, value]) => `${key}=${plain(value)}`)
          .join(' '),
    },
  ],
  auditevent: [
    { ...time('TIMESTAMP', 'eventTime'), short: 'TIME' },
    member('NAME', 'resource', 'name'),
    member('TYPE', 'action', 'type'),
    { ...member('VERSION', 'resource', 'data', 'version'), rank: 3 },
    member('STATUS', 'result', 'status'),
    { ...member('MESSAGE', 'result', 'message'), isProse: true },
    { ...member('SUBJECT TYPE', 'subject', 'data', 'type'), short: 'BY', rank: 3 },
    { title: 'SUBJECT', rank: 1, of: (record) => lastSegment(at(record, 'subject', 'data', 'principalLink')) },
  ],
  command: [
    member('ID', 'id'),
    member('TYPE', 'type'),
    member('STAGE', 'lifecycleStage'),
    { title: 'SPEC', rank: 2, isProse: true, of: (record) => plain(own(record, 'spec')) },
    created,
  ],
  permission: [
    name,
    { title: 'DESCRIPTION', rank: 1, isProse: true, of: (record) => stringAt(record, 'description') ?? '' },
    { title: 'IMPLIES', rank: 2, isProse: true, of: (record) => listAt(record, 'implies').map(plain).join(' ') },
  ],
  access: [
    member('PERMISSION', 'permission'),
    { title: 'PRINCIPAL', of: (record) => shortLink(at(record, 'principalLink')) },
    { title: 'GRANTED THROUGH', rank: 2, of: (record) => shortLink(at(record, 'grantingPolicyLink')) },
  ],
  volume: [
    member('LOCATION', 'location'),
    member('INDEX', 'index'),
    member('LIFECYCLE', 'lifecycle'),
    member('SIZE GB', 'currentSize'),
    { title: 'SNAPSHOTS', rank: 2, of: (record) => String(listAt(record, 'volumeSnapshots').length) },
  ],
  snapshot: [
    name,
    member('LOCATION', 'location'),
    member('VOLUME', 'volumeIndex'),
    created,
    time('EXPIRES', 'expires'),
    member('SIZE', 'size'),
  ],
  cronexecution: [
    member('WORKLOAD', 'workload'),
    member('LOCATION', 'location'),
    name,
    { ...member('STATUS', 'status'), rank: 1 },
    time('START', 'startTime'),
    time('COMPLETION', 'completionTime'),
    { ...member('REPLICA', 'replica'), rank: 2 },
  ],
  logline: [
    time('TIME', 'time'),
    { ...member('LOCATION', 'location'), rank: 2 },
    { ...member('REPLICA', 'replica'), rank: 1 },
    { ...member('CONTAINER', 'container'), rank: 3 },
    { title: 'LINE', of: (record) => at(record, 'line') },
  ],
  replica: [name, member('LOCATION', 'location')],
  key: [name, description, created, member('KEY', 'key')],
  profile: [
    name,
    { title: 'DEFAULT', rank: 2, of: (record) => (own(record, 'default') === true ? '*' : '') },
    { title: 'ENDPOINT', of: (record) => at(record, 'endpoint') },
    member('ORG', 'org'),
    member('GVC', 'gvc'),
    member('TOKEN', 'token'),
  ],
};

/** The columns of a table of this kind of items. */
export function columnsOf(itemKind: string): readonly Column[] {
  return Object.hasOwn(byKind, itemKind) ? (byKind[itemKind] ?? []) : [name, description, created, tags];
}

function member(title: string, ...path: readonly string[]): Column {
  return { title, rank: 2, of: (record) => at(record, ...path) };
}

function time(title: string, key: string): Column {
  return { title, rank: 1, of: (record) => stringAt(record, key) ?? '', isTime: true };
}

function tagsText(record: JsonObject): string {
  return Object.entries(objectAt(record, 'tags'))
    .map(([key, value]) => `${key}=${plain(value)}`)
    .join(' ');
}

function at(record: JsonObject, ...path: readonly string[]): string {
  let value: JsonValue | undefined = record;
  for (const key of path) value = isObject(value) ? own(value, key) : undefined;
  return plain(value);
}

function plain(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return isObject(value) || isArray(value) ? JSON.stringify(value) : String(value);
}

function lastNames(title: string, list: (record: JsonObject) => readonly JsonValue[]): Column {
  return {
    title,
    rank: 3,
    of: (record) =>
      list(record)
        .map((each) => lastSegment(plain(each)))
        .join(' '),
  };
}

/** `/org/x/group/admins` as `group/admins`. */
function shortLink(link: string): string {
  return link.replace(/^\/org\/[^/]+\//, '');
}

/** As `gantry status` counts them. `deployments` is what `get` adds to a workload (platform/lifecycle.readiness). */
function readyOf(record: JsonObject): string {
  const deployments = Object.hasOwn(record, 'deployments') ? listAt(record, 'deployments').filter(isObject) : undefined;
  const locations = readyLocations(record, numberAt(record, 'version') ?? 0, deployments);
  return locations === undefined ? '' : `${locations.ready}/${locations.total}`;
}

function filterOf(record: JsonObject): string {
  const members = listAt(record, 'memberLinks').map((link) => lastSegment(plain(link)));
  const spec = objectAt(objectAt(record, 'memberQuery'), 'spec');
  const terms = listAt(spec, 'terms')
    .filter(isObject)
    .map((term) => {
      const key = stringAt(term, 'property') ?? stringAt(term, 'tag') ?? stringAt(term, 'rel') ?? '';
      return `${key}${stringAt(term, 'op') ?? '='}${plain(own(term, 'value'))}`;
    });
  return [...members, ...terms].join(' ');
}
