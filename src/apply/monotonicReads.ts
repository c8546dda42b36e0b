import type { ApplyClock } from '../base/clock.ts';
import { ToolError } from '../base/toolError.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { Plan } from '../plan/model/plan.ts';
import { formatRef, type Ref, type ResourceId } from '../schema/record/ref.ts';
import type { PlatformPort, Written } from './port.ts';
import { delayMs, type Patience } from './run.ts';

export interface ReadsOfRun {
  readonly plan: Pick<Plan, 'changes'>;
  readonly written: ReadonlyMap<ResourceId, Written>;
  readonly clock: ApplyClock;
  readonly random: () => number;
  readonly patience: Pick<Patience, 'consistencyMs'>;
  readonly halt: AbortSignal;
  readonly capabilities: Capabilities;
}

const longestDelayMs = 1_000;

/** The highest version that an answer has shown for one record of a name. Without `uid`, there was no record. */
interface Seen {
  readonly uid: string | undefined;
  readonly version: number;
}

/**
 * A port without stale reads: an answer older than what this run has planned with, read or written is discarded and
 * read again until the time of `--consistency-timeout` is over. A record never gets an older version or an earlier id.
 * A missing record is finally accepted, because it may really be deleted. Throws `apply.stale-read` if the platform
 * stays behind.
 */
export function monotonicReads<Port extends PlatformPort>(port: Port, run: ReadsOfRun): Port {
  const memory = new Memory(run);

  /** The result may still be old when the time is over. */
  async function newest(ref: Ref): Promise<LiveResource | undefined> {
    const id = formatRef(ref);
    for (let round = 0, waitedMs = 0; ; round += 1) {
      const live = await port.read(ref);
      const isOld = live === undefined ? memory.wasWritten(id) : memory.isOlder(live);
      if (!isOld || run.halt.aborted || waitedMs > run.patience.consistencyMs) return live;
      run.capabilities.learn('read.own-writes', 'otherwise');
      const delay = delayMs(round, longestDelayMs, run.random());
      await run.clock.sleep(delay, run.halt);
      waitedMs += delay;
    }
  }
  /** A list may be older than the records themselves, so its old entries are read again by name. */
  async function current(listed: readonly LiveResource[]): Promise<readonly LiveResource[]> {
    const found = listed.map((live) => {
      if (!memory.isOlder(live)) return live;
      run.capabilities.learn('read.own-writes', 'otherwise');
      return newest(live.ref);
    });
    return (await Promise.all(found)).filter((live) => live !== undefined);
  }
  async function wrote(write: Promise<LiveResource>): Promise<LiveResource> {
    return memory.note(await write);
  }

  return {
    ...port,
    create: (ref, body, marked) => wrote(port.create(ref, body, marked)),
    patch: (ref, body, marked) => wrote(port.patch(ref, body, marked)),
    async read(ref) {
      const live = await newest(ref);
      if (live === undefined) return undefined;
      if (memory.isOlder(live) && !run.halt.aborted) throw staleRead(live);
      return memory.note(live);
    },
    children: async (gvc) => current(await port.children(gvc)),
    owned: async (owner, kinds, expected) => current(await port.owned(owner, kinds, expected)),
  };
}

class Memory {
  readonly #written: ReadonlyMap<ResourceId, Written>;
  readonly #capabilities: Capabilities;
  readonly #seen = new Map<ResourceId, Seen>();
  /** Uids of records that were replaced by another one. */
  readonly #replaced = new Set<string>();

  constructor({ plan, written, capabilities }: ReadsOfRun) {
    this.#written = written;
    this.#capabilities = capabilities;
    for (const { id, liveUid: uid, liveVersion: version = 0 } of plan.changes) this.#seen.set(id, { uid, version });
  }

  /** Checks only what is planned or written: a bystander may be of any age. */
  isOlder({ id, uid, version }: LiveResource): boolean {
    const written = this.#written.get(id);
    if (this.#replaced.has(uid)) return true;
    if (written?.as === 'deleted' && written.uid === uid && written.denied !== true) return true;
    const seen = this.#seen.get(id);
    return seen?.uid === uid && version < seen.version;
  }

  wasWritten(id: ResourceId): boolean {
    return this.#written.get(id)?.as === 'stored';
  }

  note(live: LiveResource): LiveResource {
    const { id, uid, version, record } = live;
    if (typeof record['version'] === 'string') this.#capabilities.learn('version.as-number', 'otherwise');
    const seen = this.#seen.get(id);
    if (seen?.uid !== undefined && seen.uid !== uid) this.#replaced.add(seen.uid);
    if (seen?.uid !== uid || seen.version < version) this.#seen.set(id, { uid, version });
    return live;
  }
}

function staleRead({ id, version }: LiveResource): ToolError {
  return new ToolError({
    code: 'apply.stale-read',
    message: `the platform still returns an older version of ${id} (version ${version}) than this run has seen`,
    hint: 'Apply again once it has caught up.',
  });
}
