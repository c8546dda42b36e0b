import type { Client } from '../../client/client.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import { formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import { fetchList, type Listed, listKeyOf } from './records.ts';

/**
 * The reads for deletions: directly before the request, and after it until the record no longer exists. Terraform
 * deletes resources individually, several at a time, and one list answers for all that wait.
 */
export interface DeletionReads {
  /** The record in a read that began a moment ago: at most a second for many deletions, otherwise a quarter. */
  before(ref: Ref): Promise<LiveResource | undefined>;
  /** The record in a read that begins now. A record missing from a list is read by name. */
  now(ref: Ref): Promise<LiveResource | undefined>;
  /** The same after its DELETE was carried out: a record that was in a list, and no longer is, is deleted. */
  afterDelete(ref: Ref): Promise<LiveResource | undefined>;
  /** Wraps a deletion, from its first read to its last. */
  during<T>(deletion: () => Promise<T>): Promise<T>;
}

/** The maximum age of a list that is used directly before a deletion, until many have ended. */
const shortestAgeMs = 250;
/** Deletions that were sent together end within about this time. */
const gatherMs = 10;
/** Terraform writes its state after each deletion, so many of them arrive one by one. */
const maxGatherMs = 1_000;
/** Up to this number, records are read by name. */
const maxReadsByName = 2;

interface Waiting {
  readonly ref: Ref;
  readonly isDeleted: boolean;
  readonly resolve: (found: LiveResource | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export interface DeletionReadsOptions {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

export function makeDeletionReads(
  client: Pick<Client, 'list' | 'read' | 'record'>,
  { now, sleep }: DeletionReadsOptions,
): DeletionReads {
  const lists = new Map<string, { readonly since: number; readonly records: Listed }>();
  const listed = new Set<ResourceId>();
  const waiting: Waiting[] = [];
  let underWay = 0;
  let mostUnderWay = 0;
  let ended = 0;
  let serving = false;

  /** The wait for further reads: almost none if there are few. */
  const patienceMs = (): number => Math.min(gatherMs * ended, maxGatherMs);

  async function serve(): Promise<void> {
    serving = true;
    while (waiting.length > 0) {
      let waitedMs = 0;
      do {
        await sleep(gatherMs);
        waitedMs += gatherMs;
      } while (waiting.length < mostUnderWay && waitedMs < patienceMs());
      const together = Map.groupBy(waiting.splice(0), ({ ref }) => listKeyOf(ref));
      await Promise.all([...together].map(([key, group]) => answer(key, group)));
    }
    serving = false;
  }

  async function answer(key: string, group: readonly Waiting[]): Promise<void> {
    const [first] = group;
    const isAlone = first === undefined || group.length <= maxReadsByName || isContainer(first.ref.kind);
    const since = now();
    const found = isAlone ? undefined : fetchList(client, first.ref.kind, first.ref.gvc).catch(() => undefined);
    const records = await found;
    if (records !== undefined) {
      lists.set(key, { since, records });
      for (const live of records.values()) listed.add(live.id);
    }
    await Promise.all(
      group.map(({ ref, isDeleted, resolve, reject }) => {
        const live = records?.get(ref.name);
        // The list may come from a stale replica: before a DELETE it does not prove that there is nothing to delete.
        const isKnown = live !== undefined || (isDeleted && records !== undefined && listed.has(formatRef(ref)));
        return (isKnown ? Promise.resolve(live) : client.read(ref)).then(resolve, reject);
      }),
    );
  }

  function read(ref: Ref, isDeleted = false): Promise<LiveResource | undefined> {
    return new Promise((resolve, reject) => {
      waiting.push({ ref, isDeleted, resolve, reject });
      if (!serving) void serve();
    });
  }

  return {
    async before(ref) {
      const list = lists.get(listKeyOf(ref));
      const live =
        list !== undefined && now() - list.since <= Math.max(shortestAgeMs, patienceMs())
          ? list.records.get(ref.name)
          : undefined;
      return live ?? read(ref);
    },
    now: (ref) => read(ref),
    afterDelete: (ref) => read(ref, true),
    async during(deletion) {
      underWay += 1;
      mostUnderWay = Math.max(mostUnderWay, underWay);
      try {
        return await deletion();
      } finally {
        underWay -= 1;
        ended += 1;
      }
    },
  };
}
