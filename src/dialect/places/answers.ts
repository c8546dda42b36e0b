/** An object of which it is known what fields it has. */
export interface Declared {
  /** For messages: `workload spec.containers[]`. */
  readonly place: string;
  readonly names: readonly string[];
  /** Fields of every kind may stand beside them: a record, or what is said about one. */
  readonly loose?: true;
}

/**
 * What the platform answers beside records (platform/errors.body, platform/wire.discovery, platform/wire.lists,
 * platform/commands, platform/audit.trail, platform/access.report).
 */
const listed: readonly Declared[] = [
  { place: 'a list', names: ['kind', 'itemKind', 'items', 'links', 'query'] },
  { place: 'a link', names: ['rel', 'href'] },
  { place: 'an error', names: ['status', 'message', 'code', 'details', 'id'] },
  { place: 'a detail of an error', names: ['path', 'message', 'rule'] },
  { place: 'a proof of ownership', names: ['type', 'host', 'ttl', 'value'] },
  {
    place: 'a command',
    names: [
      ...['id', 'ownerId', 'kind', 'version', 'created', 'lastModified', 'links', 'tags'],
      ...['type', 'spec', 'lifecycleStage', 'status'],
    ],
  },
  {
    place: 'the spec of a command',
    names: [
      ...['location', 'containerOverrides', 'activeDeadlineSeconds', 'scheduleName', 'replica', 'volumeIndex'],
      ...['newStorageCapacity', 'timeoutSeconds', 'snapshotName', 'snapshotExpirationDate', 'snapshotTags', 'zone'],
    ],
  },
  {
    place: 'an audit event',
    names: [
      ...['id', 'requestId', 'eventTime', 'postedTime', 'receivedTime'],
      ...['resource', 'action', 'subject', 'context', 'result'],
    ],
  },
  {
    place: 'an event',
    names: ['kind', 'id', 'created', 'lastEventTime', 'eventCount', 'status', 'pinned', 'context', 'links'],
  },
  { place: 'an access report', names: ['kind', 'created', 'links', 'permissions'] },
  { place: '/discovery', names: ['endpoints', 'idp', 'directives'] },
];

export const answers: readonly Declared[] = listed.map((each) => ({ ...each, loose: true }));
