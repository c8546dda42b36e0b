import { type JsonObject, objectAt, own } from '../base/json/json.ts';
import { compact, present } from '../base/json/present.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import { isNamedByEmail } from '../kinds/kindFacts.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import { ownerOf, ownerTag, partTagOf } from '../manifest/model/ownTags.ts';
import { isContainer, type Kind } from '../schema/record/kinds.ts';
import { formatRef, type Ref, type ResourceId } from '../schema/record/ref.ts';
import { ApiError, isCode } from './http/apiError.ts';
import { IncompleteList } from './incompleteList.ts';
import { isUnserved, type QuerySpec } from './reader.ts';

/** Reads collections, all pages of them, and single records. */
export interface Collections {
  readonly capabilities: Capabilities;
  readonly ways: Ways;
  /** Rejects with `IncompleteList` if more records exist, as `list` does. */
  query(kind: Kind, spec: QuerySpec): Promise<readonly LiveResource[]>;
  list(kind: Kind, gvc?: string): Promise<readonly LiveResource[]>;
  /** Reads by name, a secret without its value; undefined if it does not exist. */
  record(ref: Ref): Promise<LiveResource | undefined>;
}

/** A request for the records of a kind, in the order in which they are tried; the last resort is a read by name. */
type Way = 'query' | 'list' | 'list in a GVC';

/** The ways that the platform has refused: such a request is not sent again in a run. */
export class Ways {
  readonly #refused = new Map<string, ApiError>();
  readonly #served = new Set<string>();
  /** A list of GVCs in progress. */
  gvcs: Promise<Tried> | undefined;
  /** Whether GVCs can be listed; undefined before the first attempt. */
  listsGvcs: boolean | undefined;

  refusal(way: Way, kind: Kind): ApiError | undefined {
    return this.#refused.get(`${way} ${kind}`);
  }

  /**
   * Whether a way that worked before in this run is gone. A proxy that finds no server behind it answers as a platform
   * without this path does, so no record counts as absent then.
   */
  isLost(way: Way, kind: Kind, error: ApiError): boolean {
    return this.#served.has(`${way} ${kind}`) && isCode(error, 'api.not-found', 'api.method');
  }

  noteServed(way: Way, kind: Kind): void {
    if (way !== 'list in a GVC') this.#served.add(`${way} ${kind}`); // its GVC may be deleted
  }

  /** A permission may be granted later. */
  note(way: Way, kind: Kind, error: ApiError): void {
    if (!isCode(error, 'api.forbidden', 'api.unauthorized')) this.#refused.set(`${way} ${kind}`, error);
  }
}

export interface Found {
  readonly resources: readonly LiveResource[];
  /** Set if the whole collection was read: a record that is not in `all` does not exist. */
  readonly all?: readonly LiveResource[];
  /** The last answer of a platform that has neither a query nor a list of this kind. */
  readonly unserved?: ApiError;
  /** Why more records may exist than were read. */
  readonly gap?: string;
  /** Records that were requested by name and do not exist. */
  readonly absent?: readonly ResourceId[];
}

/**
 * Everything of a kind with this value of `gantry/stack`, or of which the stack owns a part: one query, or a list if
 * there are no queries.
 */
export async function fetchOwned(client: Collections, kind: Kind, owner: string): Promise<Found> {
  // Some platforms ignore an unknown term, and return other records too.
  return ownedOf(await fetchOwnedBy(client, kind, [owner]), owner);
}

/** The same for several owners, plus anything else that the platform returns: `ownedOf` selects by owner. */
export async function fetchOwnedBy(client: Collections, kind: Kind, owners: readonly string[]): Promise<Found> {
  const terms = owners.flatMap((owner) => {
    const part = partTagOf(owner);
    return compact([
      { op: '=', tag: ownerTag, value: owner },
      part === undefined ? undefined : { op: 'exists', tag: part },
    ]);
  });
  const asked = await tryWay(client, 'query', kind, () => client.query(kind, { match: 'any', terms }));
  if (asked.error === undefined) return { resources: asked.records };
  if (asked.error instanceof IncompleteList) return { resources: asked.records, gap: asked.error.message };
  return fetchAll(client, kind);
}

/** The owner's records among the listed ones. */
export function ownedOf(found: Found, owner: string): Found {
  const part = partTagOf(owner);
  const isOurs = ({ record }: LiveResource): boolean =>
    ownerOf(record) === owner || (part !== undefined && own(objectAt(record, 'tags'), part) !== undefined);
  return { ...found, resources: found.resources.filter(isOurs) };
}

/** The maximum number of names in one query. */
const chunkSize = 100;

/** The existing records with these names, queried in chunks, from a list, or one by one. */
export async function fetchNamed(client: Collections, kind: Kind, refs: readonly Ref[]): Promise<Found> {
  const names = [...new Set(refs.map(({ name }) => name))];
  const chunks: (readonly string[])[] = [];
  for (let start = 0; start < names.length; start += chunkSize) chunks.push(names.slice(start, start + chunkSize));
  const asked = await tryWay(client, 'query', kind, async () => {
    const terms = (chunk: readonly string[]) => chunk.flatMap((name) => nameTerms(kind, name));
    const found = chunks.map((chunk) => client.query(kind, { match: 'any', terms: terms(chunk) }));
    return (await Promise.all(found)).flat();
  });
  if (asked.error === undefined) return { resources: asked.records };
  if (asked.error instanceof IncompleteList) return readEach(client, refs);
  const found = await fetchAll(client, kind);
  return found.all === undefined ? readEach(client, refs, found) : found;
}

/** Reads records one by one. `found`: the kind's records that were listed before. */
export async function readEach(client: Collections, refs: readonly Ref[], found?: Found): Promise<Found> {
  const listed = new Map((found?.resources ?? []).map((live) => [live.id, live]));
  const absent: ResourceId[] = [];
  const read = await Promise.all(
    refs.map(async (ref) => {
      const id = formatRef(ref);
      if (listed.has(id)) return [];
      try {
        const live = await client.record(ref);
        if (live !== undefined) return [live];
        absent.push(id);
      } catch (error) {
        if (!isCode(error, 'api.forbidden')) throw error; // hidden: `confirmAbsence` finds these
      }
      return [];
    }),
  );
  return { ...found, resources: [...listed.values(), ...read.flat()], absent };
}

/** All records of a kind, in all GVCs. */
export async function fetchAll(client: Collections, kind: Kind): Promise<Found> {
  const { ways } = client;
  const probeError = isContainer(kind) ? undefined : await probeGvcLists(client);
  const listed = isContainer(kind)
    ? await listGvcs(client)
    : probeError === undefined
      ? await tryWay(client, 'list', kind, () => client.list(kind))
      : { error: probeError, records: [] };
  // For other kinds, the platform may just not know the kind.
  if (isContainer(kind) && ways.refusal('query', kind) !== undefined) {
    client.capabilities.learn('read.query', 'otherwise');
  }
  if (listed.error === undefined) {
    return { resources: listed.records, all: listed.records };
  }
  const gap = { resources: listed.records, gap: listed.error.message };
  return listed.error instanceof IncompleteList ? gap : { ...gap, unserved: listed.error };
}

/** The answer of a platform that cannot list GVCs, and so lists nothing. It is requested once, not for each kind. */
async function probeGvcLists(client: Collections): Promise<ApiError | undefined> {
  const { ways, capabilities } = client;
  if (ways.listsGvcs === undefined) await listGvcs(client);
  if (!listsNothing(client)) return undefined;
  capabilities.learn('read.list', 'otherwise');
  return ways.refusal('list', 'gvc');
}

/** Concurrent callers share one list. */
export function listGvcs(client: Collections): Promise<Tried> {
  const { ways } = client;
  ways.gvcs ??= tryWay(client, 'list', 'gvc', () => client.list('gvc')).finally(() => {
    ways.gvcs = undefined;
    ways.listsGvcs = ways.refusal('list', 'gvc') === undefined;
  });
  return ways.gvcs;
}

/** Whether the platform has answered that GVCs cannot be listed, so that no list is complete for a stack. */
export function listsNothing({ ways }: Collections): boolean {
  return isCode(ways.refusal('list', 'gvc'), 'api.not-found', 'api.method');
}

/** The records in these GVCs, one list for each; undefined if there are no such lists. */
export async function fetchInGvcs(
  client: Collections,
  kind: Kind,
  gvcs: readonly string[],
): Promise<Found | undefined> {
  const [first, ...others] = gvcs;
  if (first === undefined || client.capabilities.isOtherwise('read.list-of-gvc')) return undefined;
  const list = (gvc: string) => tryWay(client, 'list in a GVC', kind, () => client.list(kind, gvc));
  const answers = [await list(first)];
  if (isRefused(answers[0]?.error)) {
    if (isCode(answers[0]?.error, 'api.method')) client.capabilities.learn('read.list-of-gvc', 'otherwise');
    return undefined;
  }
  answers.push(...(await Promise.all(others.map(list))));
  const gap = answers.find(({ error }) => error !== undefined)?.error?.message;
  return { resources: answers.flatMap(({ records }) => records), ...present({ gap }) };
}

function isRefused(error: ApiError | undefined): boolean {
  return error !== undefined && !(error instanceof IncompleteList);
}

export interface Tried {
  readonly records: readonly LiveResource[];
  /** Set if the platform does not support this way, or shows only some of the records. */
  readonly error?: ApiError;
}

const noQueries = new ApiError({ code: 'api.not-found', message: 'the platform has no queries' });

async function tryWay(
  { ways, capabilities }: Collections,
  way: Way,
  kind: Kind,
  ask: () => Promise<readonly LiveResource[]>,
): Promise<Tried> {
  const known = way === 'query' && capabilities.isOtherwise('read.query') ? noQueries : ways.refusal(way, kind);
  if (known !== undefined) return { records: [], error: known };
  try {
    const records = await ask();
    ways.noteServed(way, kind);
    return { records };
  } catch (error) {
    if (error instanceof IncompleteList) return { records: error.records, error };
    if (!isUnserved(error) || ways.isLost(way, kind, error)) throw error;
    ways.note(way, kind, error);
    return { records: [], error };
  }
}

/**
 * The owner's records of a kind. An `expected` record that is in no list is read by name, because only that proves its
 * deletion.
 */
export async function ownedOrNamed(
  client: Collections,
  kind: Kind,
  owner: string,
  expected: readonly Ref[],
): Promise<readonly LiveResource[]> {
  const found = await fetchOwned(client, kind, owner);
  const ids = new Set(found.resources.map(({ id }) => id));
  const missing = expected.filter((ref) => !ids.has(formatRef(ref)));
  if (missing.length === 0) return found.resources;
  return ownedOf(await readEach(client, missing, found), owner).resources;
}

/** A user is referred to by e-mail address or by id (platform/concepts.kinds). */
function nameTerms(kind: Kind, name: string): readonly JsonObject[] {
  const properties = isNamedByEmail(kind) ? ['name', name.includes('@') ? 'email' : 'id'] : ['name'];
  return properties.map((property) => ({ op: '=', property, value: name }));
}
