import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../base/json/json.ts';
import { onceFor } from '../base/once.ts';
import type { WriteEvent, WritesOf } from '../manifest/live/writer.ts';
import { hrefOf } from '../schema/record/hrefOf.ts';
import { linkOf, type Ref } from '../schema/record/ref.ts';
import type { Client } from './client.ts';
import { ApiError, isCode } from './http/apiError.ts';
import { isUnserved } from './reader.ts';

/**
 * Sent explicitly, because clients of this service usually get a window of seven days by default
 * (platform/access.tokens).
 */
const sinceEver = '1970-01-01T00:00:00.000Z';
const pageSize = 100;
/** The maximum number of pages of one audit trail; earlier writers stay unknown. */
const mostPages = 10;

export type AuditSource = Pick<Client, 'get' | 'org' | 'capabilities'>;

/**
 * The writers of records, from the audit trail (platform/audit.trail): `writesOf(uid)` reads each record once,
 * regardless of the number of calls. Undefined if the trail is not readable or does not answer: no plan or apply
 * depends on it.
 */
export function auditTrail(client: AuditSource): WritesOf {
  return onceFor((uid) => readTrail(client, `/resource/id/${encodeURIComponent(uid)}`));
}

/**
 * The writes of all records that ever had this address, newest first, including deleted ones. Reads all pages of the
 * trail of that name.
 */
export async function auditTrailOfName(client: AuditSource, ref: Ref): Promise<readonly WriteEvent[] | undefined> {
  const writes = await readTrail(client, `/resource/name/${encodeURIComponent(ref.name)}`, `&resourceType=${ref.kind}`);
  const self = linkOf(ref, client.org);
  return writes?.filter(({ record }) => hrefOf(record, 'self') === self);
}

/** Pages that were read before a failure count: the newest come first. */
async function readTrail(client: AuditSource, of: string, filter = ''): Promise<readonly WriteEvent[] | undefined> {
  const events: WriteEvent[] = [];
  let path: string | undefined = trailPath(client.org, of, `&limit=${pageSize}${filter}`);
  try {
    for (let page = 0; path !== undefined && page < mostPages; page += 1) {
      const answer = await readTrailPage(client, path);
      for (const event of listAt(answer, 'items')) {
        const write = isObject(event) ? readEvent(event) : undefined;
        if (write !== undefined) events.push(write);
      }
      path = nextPage(answer);
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (events.length === 0) return undefined;
  }
  return inOrder(events);
}

/** A platform without a trail is queried once. Rejects with its error. */
export async function readTrailPage({ get, capabilities }: AuditSource, path: string): Promise<JsonObject> {
  if (capabilities.isOtherwise('audit.trail'))
    throw new ApiError({ code: 'api.not-found', message: 'there is no audit trail' });
  try {
    return await get(path, true);
  } catch (error) {
    // The trail of one record may be missing, and a permission may be granted later.
    const isOfRecord = isCode(error, 'api.not-found') && path.includes('/resource/');
    if (isUnserved(error) && !isOfRecord && !isCode(error, 'api.forbidden'))
      capabilities.learn('audit.trail', 'otherwise');
    throw error;
  }
}

/** The order within one version, as in the life of a record. */
const lifetime: readonly WriteEvent['action'][] = ['create', 'edit', 'exec', 'delete'];

/**
 * Newest first by version, because times come from the clocks of several servers. Successive records of one name stay
 * in the order of the trail, because their versions are unrelated.
 */
function inOrder(events: readonly WriteEvent[]): readonly WriteEvent[] {
  const records = Map.groupBy(events, ({ record }) => stringAt(record, 'id'));
  return [...records.values()].flatMap((ofRecord) =>
    ofRecord.toSorted((a, b) => b.version - a.version || lifetime.indexOf(b.action) - lifetime.indexOf(a.action)),
  );
}

/** `of`: `/resource/id/...`; without it the trail of the whole org. */
export function trailPath(org: string, of: string, filter: string): string {
  return `/audit/org/${encodeURIComponent(org)}${of}?fromEvent=${sinceEver}${filter}`;
}

/** Only on the same host: the token must not be sent elsewhere. */
export function nextPage(answer: JsonObject): string | undefined {
  const next = hrefOf(answer, 'next');
  return next?.startsWith('/') === true && !next.startsWith('//') ? next : undefined;
}

const actions: ReadonlySet<string> = new Set(['create', 'edit', 'delete', 'exec']);

/** An event of the trail as a write. Undefined for refused writes, and for events without a version. */
export function readEvent(event: JsonObject): WriteEvent | undefined {
  const record = objectAt(objectAt(event, 'resource'), 'data');
  const version = own(record, 'version');
  const action = stringAt(objectAt(event, 'action'), 'type') ?? '';
  if (stringAt(objectAt(event, 'result'), 'status') !== 'OK' || typeof version !== 'number') return undefined;
  if (!isAction(action)) return undefined;
  const subject = objectAt(event, 'subject');
  const name = stringAt(subject, 'email') ?? stringAt(subject, 'name') ?? 'unknown';
  const type = stringAt(objectAt(subject, 'data'), 'type') ?? 'unknown';
  return { version, at: stringAt(event, 'eventTime') ?? '', action, writer: { name, type }, record };
}

function isAction(action: string): action is WriteEvent['action'] {
  return actions.has(action);
}
