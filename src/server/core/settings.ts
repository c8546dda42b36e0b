import type { AnswerForm } from '../rules/records/answerForms.ts';

/** How the platform behaves where its documents leave it open, or where it only simulates. */
export interface Settings {
  /** How long a new version of a workload takes until it runs. */
  readonly readyAfterMs: number;
  /** How long a deleted record is still shown. */
  readonly deletionDelayMs: number;
  /** Rules that are perhaps stricter than the service warn. */
  readonly lenient: boolean;
  /** Existing problems of a record do not block a change of it. */
  readonly tolerate?: 'existing';
  /** How records are shown differently from how they are stored; empty: not at all. */
  readonly answers: ReadonlySet<AnswerForm>;
  /** Of everything that is simulated: equal seeds, equal behaviour. */
  readonly seed: string;
  /** The local-only endpoints exist. */
  readonly dev: boolean;
  /** A domain can only be created with proof of ownership (platform/errors.statuses). */
  readonly proveOwnership: boolean;
  /** Expansions of one volume by command in 24 hours; no limit where it is absent. */
  readonly expandLimit?: number;
  /** How long each stage of a command on a volume takes (platform/commands). */
  readonly commandStageMs: number;
  /** No token is asked for. */
  readonly noAuth: boolean;
}
