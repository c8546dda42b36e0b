import { ToolError } from '../../errors/toolError.ts';
import { requestBody } from '../../manifest/model/requestBody.ts';
import type { Change } from '../../plan/model/change.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import type { PlatformPort } from '../port/port.ts';
import type { Written } from '../reply/written.ts';
import { isCode } from './applyErrors.ts';

/** The most questions, if answers are lost. */
const mostQuestions = 3;

/** `unknown`: there was no record to ask with, or the answer was not conclusive. */
type Finding = 'honoured' | 'ignored' | 'unknown';

interface Candidate {
  readonly ref: Ref;
  readonly uid: string;
  readonly version: number;
}

/**
 * Finds out whether the platform rejects a PATCH with a wrong `version` (platform/concepts.version leaves it open).
 *
 * If `/discovery` says so, no question is sent. Otherwise, before the first real PATCH of a run, one PATCH that changes
 * nothing is sent with a wrong version to a record of this stack: 409 means that versions are honoured. A busy record
 * also answers 409, so the question is repeated if its real PATCH gets 409 as well. In addition each reply is checked:
 * a version that rose by more than one means that somebody wrote in between, unnoticed.
 */
export class Precondition {
  readonly #plan: Plan;
  readonly #port: Pick<PlatformPort, 'patch'>;
  readonly #written: ReadonlyMap<ResourceId, Written>;
  #asked: Promise<Finding> | undefined;
  #found: Finding = 'honoured';
  #compared = 0;
  #askedWith: ResourceId | undefined;

  constructor(plan: Plan, port: Pick<PlatformPort, 'patch'>, written: ReadonlyMap<ResourceId, Written>) {
    this.#plan = plan;
    this.#port = port;
    this.#written = written;
  }

  /** False: read and compare directly before each PATCH. */
  async isHonoured(): Promise<boolean> {
    if (this.#plan.preconditions === 'unsaid') {
      this.#asked ??= this.#ask().then((finding) => {
        this.#found = finding;
        return finding;
      });
      await this.#asked;
    }
    if (this.#found === 'honoured') return true;
    this.#compared += 1;
    return false;
  }

  /** A record answers 409 although it has not changed: if the question was sent to it, the answer meant nothing. */
  wasBusy(id: ResourceId): void {
    if (this.#askedWith === id) this.#asked = undefined;
  }

  /** A reply has shown that versions are not honoured. */
  isIgnored(): void {
    this.#found = 'ignored';
  }

  /** Notes for the user. */
  notes(): readonly string[] {
    if (this.#found === 'honoured' || this.#compared === 0) return [];
    const found =
      this.#found === 'ignored'
        ? 'this platform accepts a PATCH for any version of a record'
        : 'it is not known whether this platform rejects a PATCH for another version of a record';
    const reads = `${this.#compared} ${this.#compared === 1 ? 'read' : 'reads'} more`;
    return [
      `${found}: each record was read and compared directly before its write ` +
        `(${reads}); a write of others in between goes unnoticed`,
    ];
  }

  async #ask(): Promise<Finding> {
    const candidate = cheapest(this.#plan) ?? firstOf(this.#written);
    if (candidate === undefined) return 'unknown';
    const { ref, uid, version } = candidate;
    this.#askedWith = formatRef(ref);
    const question = requestBody({ id: uid, version: version > 1 ? version - 1 : version + 1 });
    for (let left = mostQuestions - 1; ; left -= 1) {
      try {
        await this.#port.patch(ref, question);
        return 'ignored';
      } catch (error) {
        if (isCode(error, 'api.conflict')) return 'honoured';
        if (isCode(error, 'api.reply-lost') && left > 0) continue; // it changes nothing, so it does no harm twice
        if (error instanceof ToolError) return 'unknown';
        throw error;
      }
    }
  }
}

/**
 * The record for the question: one that the plan writes anyway, so that an installation which counts every PATCH as a
 * change restarts nothing else; the smallest one, because the answer may contain it. Adopted records are not ours yet.
 */
function cheapest({ changes }: Plan): Candidate | undefined {
  for (const action of ['patch', 'forget', 'keep'] as const) {
    const sized = changes
      .filter((change) => change.action === action)
      .map((change) => ({ change, size: sizeOf(change) }));
    sized.sort((a, b) => a.size - b.size); // stable: the plan has an order
    for (const { change } of sized) {
      const { ref, liveUid: uid, liveVersion: version } = change;
      if (uid !== undefined && version !== undefined && change.part !== true) return { ref, uid, version };
    }
  }
  return undefined;
}

function sizeOf({ expected }: Change): number {
  return expected === undefined ? 0 : JSON.stringify(expected.masked).length;
}

/** What this run has created, before the second step of it. */
function firstOf(written: ReadonlyMap<ResourceId, Written>): Candidate | undefined {
  for (const each of written.values()) if (each.as === 'stored') return each.live;
  return undefined;
}
