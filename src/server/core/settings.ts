import type { AnswerForm } from '../records/decisions/answerForms.ts';

/** Behavior of the platform that its documentation leaves open, or that is only simulated. */
export interface Settings {
  /** The time until a new version of a workload runs. */
  readonly readyAfterMs: number;
  /** The time for which deleted records are still shown. */
  readonly deletionDelayMs: number;
  /** Rules that may be stricter than the service only warn. */
  readonly lenient: boolean;
  /** Existing problems of a record do not block a change of it. */
  readonly tolerate?: 'existing';
  /** How records are shown differently from how they are stored; empty: not at all. */
  readonly answers: ReadonlySet<AnswerForm>;
  /** The seed of all simulated behavior. */
  readonly seed: string;
  /** Serve the local-only endpoints. */
  readonly dev: boolean;
  /** Domains can only be created with proof of ownership (platform/errors.statuses). */
  readonly proveOwnership: boolean;
  /** The number of expansions of one volume by command in 24 hours; absent: no limit. */
  readonly expandLimit?: number;
  /** The duration of each stage of a command on a volume (platform/commands). */
  readonly commandStageMs: number;
  /** Tokens are not checked. */
  readonly noAuth: boolean;
}
