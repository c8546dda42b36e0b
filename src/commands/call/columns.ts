import { isObject, type JsonObject, listAt, numberAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import { readyLocations } from '../../change/workloadStatus.ts';
import { at, type Column, cellText, member, type SharedColumn, time } from '../../kinds/common/client.ts';
import { clientFacts } from '../../kinds/kindFacts.ts';
import { isReady } from '../../kinds/workload/readiness.ts';
import { withoutOwnTags } from '../../manifest/model/ownTags.ts';
import { kindNamed } from '../../schema/record/kinds.ts';
import { lastSegment } from '../../schema/record/ref.ts';
import { startOf, textWidth } from '../../terminal/textWidth.ts';
import { gvcOf, nameOf } from './records.ts';

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
  wideValue: (record) => stringAt(record, 'description') ?? '',
};
const created = time('CREATED', 'created');
const gvc: Column = { title: 'GVC', rank: 2, of: (record) => gvcOf(record) ?? '' };
const origin = member('ORIGIN', 'origin');
const tags: Column = {
  title: 'TAGS',
  rank: 5,
  isProse: true,
  of: (record) => tagsText(withoutOwnTags(record)),
  wideValue: (record) => tagsText(record),
};

/** The columns that kinds share, by their names in `kinds/<kind>/client.ts`. */
const shared: Readonly<Record<SharedColumn, Column>> = {
  ...{ name, description, created, gvc, origin, tags },
  ready: { title: 'READY', of: readyOf },
  readiness: { title: 'STATUS', isProse: true, of: readinessOf },
};

/** The columns of items that are not records of the platform (platform/clients.columns). */
const byItem: Readonly<Record<string, readonly Column[]>> = {
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
          .map(([key, value]) => `${key}=${cellText(value)}`)
          .join(' '),
    },
  ],
  auditevent: [
    { ...time('TIMESTAMP', 'eventTime'), shortTitle: 'TIME' },
    member('NAME', 'resource', 'name'),
    member('TYPE', 'action', 'type'),
    { ...member('VERSION', 'resource', 'data', 'version'), rank: 3 },
    member('STATUS', 'result', 'status'),
    { ...member('MESSAGE', 'result', 'message'), isProse: true },
    { ...member('SUBJECT TYPE', 'subject', 'data', 'type'), shortTitle: 'BY', rank: 3 },
    { title: 'SUBJECT', rank: 1, of: (record) => lastSegment(at(record, 'subject', 'data', 'principalLink')) },
  ],
  command: [
    member('ID', 'id'),
    member('TYPE', 'type'),
    member('STAGE', 'lifecycleStage'),
    { title: 'SPEC', rank: 2, isProse: true, of: (record) => cellText(own(record, 'spec')) },
    created,
  ],
  permission: [
    name,
    { title: 'DESCRIPTION', rank: 1, isProse: true, of: (record) => stringAt(record, 'description') ?? '' },
    { title: 'IMPLIES', rank: 2, isProse: true, of: (record) => listAt(record, 'implies').map(cellText).join(' ') },
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

/** The table columns for this kind of items. */
export async function columnsOf(itemKind: string): Promise<readonly Column[]> {
  if (Object.hasOwn(byItem, itemKind)) return byItem[itemKind] ?? [];
  const kind = kindNamed(itemKind);
  const { columns = ['name', 'description', 'created', 'tags'] } = kind === undefined ? {} : await clientFacts(kind);
  return columns.map((column) => (typeof column === 'string' ? shared[column] : column));
}

function tagsText(record: JsonObject): string {
  return Object.entries(objectAt(record, 'tags'))
    .map(([key, value]) => `${key}=${cellText(value)}`)
    .join(' ');
}

/** `/org/x/group/admins` as `group/admins`. */
function shortLink(link: string): string {
  return link.replace(/^\/org\/[^/]+\//, '');
}

/** Counted as in `gantry status`. `deployments` is added to a workload by `get` (platform/lifecycle.readiness). */
function readyOf(record: JsonObject): string {
  const deployments = Object.hasOwn(record, 'deployments') ? listAt(record, 'deployments').filter(isObject) : undefined;
  const locations = readyLocations(record, numberAt(record, 'version') ?? 0, deployments);
  return locations === undefined ? '' : `${locations.ready}/${locations.total}`;
}

/** The readiness of a deployment. */
function readinessOf(record: JsonObject): string {
  const status = objectAt(record, 'status');
  if (isReady(record)) return 'ready';
  return stringAt(status, 'message') || (own(status, 'deploying') === true ? 'deploying' : 'not ready');
}
