import type { Capabilities } from '../../capabilities/capabilities.ts';
import { ToolError } from '../../errors/toolError.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import type { ApplyClock, PlatformPort } from '../port/port.ts';
import type { Written } from '../reply/written.ts';
import { delayMs, type Patience } from './run.ts';

export interface ReadsOfRun {
  readonly plan: Plan;
  readonly written: ReadonlyMap<ResourceId, Written>;
  readonly clock: ApplyClock;
  readonly random: () => number;
  readonly patience: Pick<Patience, 'consistencyMs'>;
  readonly halt: AbortSignal;
  readonly capabilities: Capabilities;
}

const longestDelayMs = 1_000;

/** Of one record of a name: the highest version that an answer has shown. Without `uid`: there was none. */
interface Seen {
  readonly uid: string | undefined;
  readonly version: number;
}

/**
 * The port without stale reads: an answer older than what this run has planned with, read or written is discarded and
 * read again until the time of `--consistency-timeout` is over. A record never gets an older version or an earlier id.
 * It may really be gone, so in the end that is accepted. Throws `apply.stale-read` if the platform stays behind.
 */
export function monotonicReads(port: PlatformPort, run: ReadsOfRun): PlatformPort {
  const memory = new Memory(run);

  async function repeat<T>(ask: () => Promise<T>, isOld: (answer: T) => boolean): Promise<T> {
    for (let round = 0, waitedMs = 0; ; round += 1) {
      const answer = await ask();
      if (!isOld(answer) || run.halt.aborted || waitedMs > run.patience.consistencyMs) return answer;
      run.capabilities.learn('read.own-writes', 'otherwise');
      const delay = delayMs(round, longestDelayMs, run.random());
      await run.clock.sleep(delay, run.halt);
      waitedMs += delay;
    }
  }
  async function wrote(write: Promise<LiveResource>): Promise<LiveResource> {
    return memory.note(await write);
  }

  return {
    ...port,
    create: (ref, body, marked) => wrote(port.create(ref, body, marked)),
    patch: (ref, body, marked) => wrote(port.patch(ref, body, marked)),
    async read(ref) {
      const id = formatRef(ref);
      const live = await repeat(
        () => port.read(ref),
        (found) => (found === undefined ? memory.wasWritten(id) : memory.isOlder(found)),
      );
      if (live === undefined) return undefined;
      if (memory.isOlder(live) && !run.halt.aborted) throw staleRead(id, live.version);
      return memory.note(live);
    },
    children: (gvc) =>
      repeat(
        () => port.children(gvc),
        (found) => found.some((live) => memory.isOlder(live)),
      ),
    owned: (owner, kinds, expected) =>
      repeat(
        () => port.owned(owner, kinds, expected),
        (found) => found.some((live) => memory.isOlder(live)),
      ),
  };
}

class Memory {
  readonly #written: ReadonlyMap<ResourceId, Written>;
  readonly #capabilities: Capabilities;
  readonly #seen = new Map<ResourceId, Seen>();

  constructor({ plan, written, capabilities }: ReadsOfRun) {
    this.#written = written;
    this.#capabilities = capabilities;
    for (const { id, liveUid: uid, liveVersion: version = 0 } of plan.changes) this.#seen.set(id, { uid, version });
  }

  /** Reads of what is planned or written only: a bystander may be of any age. */
  isOlder({ id, uid, version }: LiveResource): boolean {
    const written = this.#written.get(id);
    if (written?.as === 'deleted' && written.uid === uid) return true;
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
    if (seen?.uid !== uid || seen.version < version) this.#seen.set(id, { uid, version });
    return live;
  }
}

function staleRead(id: ResourceId, version: number): ToolError {
  return new ToolError({
    code: 'apply.stale-read',
    message: `the platform still returns an older version of ${id} (version ${version}) than this run has seen`,
    hint: 'Apply again once it has caught up.',
  });
}
