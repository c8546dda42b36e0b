import { fieldIn, isArray, type JsonValue } from '../base/json/json.ts';
import type { ErrorCause } from '../base/toolError.ts';
import { type DriftDocument, driftForm } from '../change/documents/driftDocument.ts';
import type { ExplanationDocument } from '../change/documents/explanationDocument.ts';
import { type PlanDocument, planForm } from '../change/documents/planDocument.ts';
import type { ProblemDocument } from '../change/documents/validationDocument.ts';
import type { Proof } from '../change/explanation.ts';
import type { outcomeWords } from '../change/words.ts';
import type { ResourceId } from '../schema/record/ref.ts';

/** The commands with the option `--report`. */
export type ReportedCommand = 'plan' | 'apply' | 'destroy' | 'drift' | 'validate' | 'explain' | 'undo' | 'show';

/**
 * The result of a command, independent of its form. It consists of the documents that `-o json` prints, in which
 * sensitive values are masked, so no form contains a secret.
 */
export interface Report {
  readonly tool: { readonly name: 'gantry'; readonly version: string };
  readonly command: ReportedCommand;
  readonly subject: Subject;
  readonly made?: Provenance;
  readonly outcome: Outcome;
  readonly exitCode: number;
  /** The error of the command, if it failed. */
  readonly error?: ReportedError;
  /** One for each stack, in the order of their application; empty if the command failed before. */
  readonly plans: readonly ReportedPlan[];
  /** One for each stack, in the same order; only for `drift`. */
  readonly drifts: readonly DriftDocument[];
  readonly explanation?: ExplanationDocument;
  /** The problems of manifests: all for `validate`; for other commands those found before the plan. */
  readonly problems: readonly ProblemDocument[];
  /** The document of `-o json`; null if there is none. */
  readonly document: JsonValue;
}

/** The origin of a report, as far as it is known. */
export interface Provenance {
  /** ISO 8601, in UTC. */
  readonly at: string;
  /** The commit that the pipeline has checked out. */
  readonly commit?: string | undefined;
  /** The URL of the pipeline's job. */
  readonly run?: string | undefined;
}

/** The stack, org and inputs of the command, as far as they are known. */
export interface Subject {
  readonly org?: string;
  /** The owner (`shop`, `shop.project@gvc`); also absent for several stacks. */
  readonly stack?: string;
  /** For several stacks, all in the order of their application, including those that the command did not reach. */
  readonly stacks?: readonly string[];
  /** The GVC of manifests that name none. */
  readonly gvc?: string;
  /** The name of the chosen environment. */
  readonly environment?: string;
  /** The endpoint of the platform; `embedded` for the one in the process. */
  readonly endpoint?: string;
}

export interface ReportedPlan {
  /** With `rehearsal`, and after an apply with `result`: every change with its times, in the order of their ends. */
  readonly document: PlanDocument;
  readonly outcome: PlanOutcome;
  /** The proven effect of each PATCH whose live record is known. */
  readonly proofs: ReadonlyMap<ResourceId, Proof>;
}

export interface ReportedError extends ErrorCause {
  /** The individual causes that the message summarises: refusals, problems of manifests, changes that failed. */
  readonly causes: readonly ErrorCause[];
}

type PlanOutcome = 'no-changes' | 'changes' | 'refused' | NonNullable<PlanDocument['result']>['outcome'];

export type Outcome = keyof typeof outcomeWords;

/** The outcome of a plan; after a run, that of the run. */
export function planOutcome({ refused, result, rehearsal, summary }: PlanDocument): PlanOutcome {
  if (result !== undefined) return result.outcome;
  if (refused || rehearsal?.consistent === false) return 'refused';
  const { keep, ...others } = summary;
  return Object.values(others).every((count) => count === 0) ? 'no-changes' : 'changes';
}

/** The proofs of a plan by stack and resource. */
type ProofsByStack = ReadonlyMap<string, ReadonlyMap<ResourceId, Proof>>;

/** `-o json` prints a document of one stack, or `{"stacks": […]}`. */
function documentsIn(document: JsonValue): readonly JsonValue[] {
  const stacks = fieldIn(document, 'stacks');
  return isArray(stacks) ? stacks : [document];
}

/** The plans in the document of `-o json`; empty for other commands. */
export function reportedPlans(document: JsonValue, proofs: ProofsByStack): readonly ReportedPlan[] {
  return documentsIn(document)
    .filter(planForm.is)
    .map((plan) => ({
      document: plan,
      outcome: planOutcome(plan),
      proofs: proofs.get(plan.stack) ?? new Map(),
    }));
}

/** The same for `drift`. */
export function reportedDrifts(document: JsonValue): readonly DriftDocument[] {
  return documentsIn(document).filter(driftForm.is);
}
