import { ToolError } from '../../errors/toolError.ts';
import { requestBody } from '../../manifest/model/requestBody.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { probeOf, type VersionProbe, versionProbe } from '../../plan/order/versionProbe.ts';
import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import type { PlatformPort } from '../port/port.ts';
import type { Written } from '../reply/written.ts';
import { isCode } from './applyErrors.ts';

/** The most questions, if answers are lost. */
const mostQuestions = 3;

/** `unknown`: there was no record to ask with, or the answer was not conclusive. */
type Finding = 'honoured' | 'ignored' | 'unknown';

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
  #raised: { readonly id: ResourceId; readonly from: number; readonly to: number } | undefined;

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

  /** Did only the question raise the version of this record? An installation may count every PATCH as a change. */
  wasProbe(id: ResourceId, from: number, to: number): boolean {
    return this.#raised?.id === id && this.#raised.from === from && this.#raised.to === to;
  }

  async #ask(): Promise<Finding> {
    const probe = versionProbe(this.#plan) ?? firstOf(this.#written);
    if (probe === undefined) return 'unknown';
    const { ref, version } = probe;
    const id = formatRef(ref);
    this.#askedWith = id;
    const question = requestBody(probe.body);
    for (let left = mostQuestions - 1; ; left -= 1) {
      try {
        const { version: to } = await this.#port.patch(ref, question);
        if (to === version + 1) this.#raised = { id, from: version, to };
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

/** What this run has created, before the second step of it. */
function firstOf(written: ReadonlyMap<ResourceId, Written>): VersionProbe | undefined {
  for (const each of written.values()) {
    if (each.as === 'stored') return probeOf(each.live.ref, each.live.uid, each.live.version);
  }
  return undefined;
}
