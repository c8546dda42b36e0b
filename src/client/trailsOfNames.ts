import type { Trails } from '../manifest/live/writer.ts';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../schema/json/json.ts';
import { formatRef, type Ref } from '../schema/record/ref.ts';
import { auditTrailOfName, nextPage, trailPath } from './auditTrail.ts';
import type { Client } from './client.ts';
import { ApiError } from './http/apiError.ts';

type TrailSource = Pick<Client, 'get' | 'org' | 'requests'>;

/** At most this many names are read one by one; for more, the deletions of the org are read first. */
const fewNames = 4;
/** Of a list of deletions that does not end there, older ones are not looked at where there are many names. */
const mostPages = 5;
const mostNames = 50;

/**
 * The writes of all records that ever had one of these addresses. Of many names only those that were ever deleted are
 * read: a new stack costs one request, however large it is.
 */
export async function trailsOfNames(client: TrailSource, refs: readonly Ref[]): Promise<Trails> {
  const before = client.requests();
  const asked = await namesToAsk(client, refs);
  const read = await Promise.all(
    (asked ?? []).map(async (ref) => [formatRef(ref), await auditTrailOfName(client, ref)] as const),
  );
  const trails = read.flatMap(([id, writes]) => (writes === undefined ? [] : [[id, writes] as const]));
  return {
    trails: new Map(trails),
    unread: asked === undefined || trails.length < read.length,
    requests: client.requests() - before,
  };
}

/** Undefined: the trail cannot be read. */
async function namesToAsk(client: TrailSource, refs: readonly Ref[]): Promise<readonly Ref[] | undefined> {
  if (refs.length <= fewNames) return refs;
  const deleted = await deletedNames(client);
  if (deleted === undefined) return undefined;
  const known = refs.filter(({ kind, name }) => deleted.names.has(`${kind} ${name}`));
  return deleted.ended || refs.length > mostNames ? known : refs;
}

interface Deleted {
  /** By kind and name. */
  readonly names: ReadonlySet<string>;
  /** False: there were deletions before these. */
  readonly ended: boolean;
}

/** Undefined: the trail cannot be read. */
async function deletedNames(client: TrailSource): Promise<Deleted | undefined> {
  const names = new Set<string>();
  let path: string | undefined = trailPath(client.org, '', '&actionType=delete&limit=1000');
  try {
    for (let page = 0; path !== undefined && page < mostPages; page += 1) {
      const answer: JsonObject = await client.get(path);
      for (const event of listAt(answer, 'items')) {
        const resource = isObject(event) ? objectAt(event, 'resource') : {};
        names.add(`${stringAt(resource, 'type')} ${stringAt(resource, 'name')}`);
      }
      path = nextPage(answer);
    }
    return { names, ended: path === undefined };
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
