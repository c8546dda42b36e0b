import { present } from '../../base/json/present.ts';
import type { Client } from '../../client/client.ts';
import { isCode } from '../../client/http/apiError.ts';
import { IncompleteList } from '../../client/incompleteList.ts';
import { isUnserved } from '../../client/reader.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { isGvcScoped, isOrg, type Kind } from '../../schema/record/kinds.ts';
import type { Ref } from '../../schema/record/ref.ts';

/** The maximum age of a list that answers for a record. */
const longestAgeMs = 5_000;
/** The same if writes of this process do not matter. */
const longestAgeBeforeMs = 60_000;

export interface ReadRequest {
  readonly ref: Ref;
  /** The known version: an answer with an older version of the same record is stale. */
  readonly uid?: string | undefined;
  readonly version?: number | undefined;
  /** Includes the values that lists hide. */
  readonly reveal?: boolean;
}

/** Reads records one by one for Terraform, and in lists from the platform. */
export interface Records {
  read(request: ReadRequest): Promise<LiveResource | undefined>;
  /**
   * The record in a list of the last minute, regardless of later writes of this process; if lists are forbidden, the
   * current one if it may be viewed. It tells whether a name was free before: an apply plans each resource again, and
   * would otherwise list again after every write.
   */
  foundBefore(ref: Ref): Promise<LiveResource | undefined>;
  /** Whether there is certainly no such record, by a list of the last minute. One that cannot be viewed may exist. */
  isAbsent(ref: Ref): Promise<boolean>;
  /** The records of a kind in a GVC or in the org that this process has listed so far; sends no request. */
  listedSoFar(kind: Kind, gvc?: string): ReadonlyMap<string, LiveResource>;
  /** Carries out a write, after which no list from before or during it is used. */
  write<T>(write: () => Promise<T>): Promise<T>;
}

type Source = Pick<Client, 'list' | 'read' | 'record'>;
export type Listed = ReadonlyMap<string, LiveResource>;

interface List {
  readonly since: number;
  /** The number of writes that had begun or ended by then. */
  readonly writes: number;
  /** Undefined if this token cannot list these records, or the platform has no such list. */
  readonly records: Promise<Listed | undefined>;
}

const nothing: Listed = new Map();

/**
 * The first read of a kind in a GVC, or in the org, fetches all of its records, in pages; the reads that Terraform
 * sends at the same time or soon after are answered from these. A record that is missing, or older than in the state,
 * is read by name: it may be new or hidden from lists, or the list may be stale.
 */
export function recordsOf(client: Source, now: () => number = () => performance.now()): Records {
  const lists = new Map<string, List>();
  const shown = new Map<string, Listed>();
  const unlistable = new Set<string>();
  let writes = 0;
  let underWay = 0;

  function list(ref: Ref): Promise<Listed | undefined> {
    if (underWay > 0) return Promise.resolve(undefined);
    const known = lists.get(listKeyOf(ref));
    const isFresh = known !== undefined && known.writes === writes && now() - known.since <= longestAgeMs;
    return isFresh ? known.records : listAgain(ref);
  }

  function listAgain(ref: Ref): Promise<Listed | undefined> {
    const { kind, gvc } = ref;
    if (unlistable.has(kind)) return Promise.resolve(undefined);
    const key = listKeyOf(ref);
    const records = fetchList(client, kind, gvc).then(
      (found) => {
        if (found === undefined) unlistable.add(kind);
        else shown.set(key, found);
        return found;
      },
      (error: unknown) => {
        lists.delete(key); // the next call retries
        throw error;
      },
    );
    lists.set(key, { since: now(), writes, records });
    return records;
  }

  function listedBefore(ref: Ref): Promise<Listed | undefined> {
    const known = lists.get(listKeyOf(ref));
    const isRecent = known !== undefined && now() - known.since <= longestAgeBeforeMs;
    return isRecent ? known.records : listAgain(ref);
  }

  async function listed(ref: Ref): Promise<LiveResource | undefined> {
    const began = writes;
    const found = (await list(ref))?.get(ref.name);
    return began === writes ? found : undefined;
  }

  return {
    async read({ ref, uid, version = 0, reveal = false }) {
      if ((reveal && hiddenField(ref.kind) !== undefined) || isOrg(ref.kind)) return client.read(ref);
      const found = await listed(ref);
      const isBehind = found !== undefined && found.uid === uid && found.version < version;
      return found === undefined || isBehind ? client.read(ref) : found;
    },
    async isAbsent(ref) {
      const found = await listedBefore(ref).catch(() => undefined);
      return found !== undefined && !found.has(ref.name);
    },
    async foundBefore(ref) {
      const found = await listedBefore(ref);
      return found === undefined ? readViewable(client, ref) : found.get(ref.name);
    },
    listedSoFar: (kind, gvc) => shown.get(listKeyOf({ kind, ...present({ gvc }) })) ?? nothing,
    async write(write) {
      writes += 1;
      underWay += 1;
      try {
        return await write();
      } finally {
        underWay -= 1;
        writes += 1;
      }
    },
  };
}

/** The list that shows a record. */
export function listKeyOf({ kind, gvc }: Omit<Ref, 'name'>): string {
  return gvc === undefined ? kind : `${kind}/${gvc}`;
}

/** Also undefined if this token cannot view it: the platform refuses its name when it is taken. */
async function readViewable(client: Source, ref: Ref): Promise<LiveResource | undefined> {
  try {
    return await client.record(ref); // the creation shows whether the org exists
  } catch (error) {
    if (isCode(error, 'api.forbidden')) return undefined;
    throw error;
  }
}

/** The records of one list, by name; undefined if they cannot be listed. */
export async function fetchList(
  client: Pick<Source, 'list'>,
  kind: Kind,
  gvc: string | undefined,
): Promise<Listed | undefined> {
  try {
    const records = await client.list(kind, isGvcScoped(kind) ? gvc : undefined);
    return new Map(records.map((live) => [live.ref.name, live]));
  } catch (error) {
    // If the GVC is deleted, so are its records; each is confirmed by a read.
    if (isCode(error, 'api.not-found')) return gvc === undefined ? undefined : new Map();
    if (error instanceof IncompleteList || isUnserved(error)) return undefined;
    throw error;
  }
}
