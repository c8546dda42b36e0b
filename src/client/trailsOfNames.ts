import { isObject, listAt } from '../base/json/json.ts';
import type { Trails, WriteEvent } from '../manifest/live/writer.ts';
import { hrefOf } from '../schema/record/hrefOf.ts';
import { formatRef, linkOf, type Ref, type ResourceId } from '../schema/record/ref.ts';
import { type AuditSource, auditTrailOfName, nextPage, readEvent, readTrailPage, trailPath } from './auditTrail.ts';
import type { Client } from './client.ts';
import { ApiError } from './http/apiError.ts';

type TrailSource = AuditSource & Pick<Client, 'requests'>;

/** Up to this number, names are read one by one; for more, the deletions of the org are read first. */
const fewNames = 4;
/** The pages of a list of deletions; if it continues, older ones are not searched for many names. */
const mostPages = 5;
const mostNames = 50;

/**
 * The writes of the records that had one of these addresses, which are free now. For many names, the deletions of the
 * org are sufficient: the cost is the pages of that list, regardless of the size of a stack and the number of its
 * deletions.
 */
export async function trailsOfNames(client: TrailSource, refs: readonly Ref[]): Promise<Trails> {
  const before = client.requests();
  const deletions = refs.length <= fewNames ? undefined : await readDeletions(client);
  const rest = deletions === undefined ? refs : missingIn(deletions, refs, client.org);
  const isUnread = refs.length > fewNames && deletions === undefined;
  const read = isUnread
    ? []
    : await Promise.all(rest.map(async (ref) => [ref, await auditTrailOfName(client, ref)] as const));
  const trails = new Map<ResourceId, readonly WriteEvent[]>();
  for (const ref of refs) {
    const last = deletions?.last.get(linkOf(ref, client.org));
    if (last !== undefined) trails.set(formatRef(ref), [last]);
  }
  for (const [ref, writes] of read) if (writes !== undefined) trails.set(formatRef(ref), writes);
  return {
    trails,
    unread: isUnread || read.some(([, writes]) => writes === undefined),
    requests: client.requests() - before,
  };
}

interface Deletions {
  /** The last deletion of each address. */
  readonly last: ReadonlyMap<string, WriteEvent>;
  /** False if there were earlier deletions. */
  readonly ended: boolean;
}

/** Names that earlier deletions may concern. */
function missingIn({ last, ended }: Deletions, refs: readonly Ref[], org: string): readonly Ref[] {
  if (ended || refs.length > mostNames) return [];
  return refs.filter((ref) => !last.has(linkOf(ref, org)));
}

/** Undefined if the trail cannot be read. */
async function readDeletions(client: TrailSource): Promise<Deletions | undefined> {
  const last = new Map<string, WriteEvent>();
  let path: string | undefined = trailPath(client.org, '', '&actionType=delete&limit=1000');
  try {
    for (let page = 0; path !== undefined && page < mostPages; page += 1) {
      const answer = await readTrailPage(client, path);
      for (const event of listAt(answer, 'items')) {
        const write = isObject(event) ? readEvent(event) : undefined;
        const self = write === undefined ? undefined : hrefOf(write.record, 'self');
        if (write !== undefined && self !== undefined && !last.has(self)) last.set(self, write);
      }
      path = nextPage(answer);
    }
    return { last, ended: path === undefined };
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
