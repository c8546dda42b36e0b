import { fieldIn, isArray, type JsonValue } from '../../base/json/json.ts';
import type { ErrorCause } from '../../base/toolError.ts';
import { type DriftDocument, driftForm } from '../../change/documents/driftDocument.ts';
import type { ExplanationDocument } from '../../change/documents/explanationDocument.ts';
import { type PlanDocument, planForm } from '../../change/documents/planDocument.ts';
import type { ProblemDocument } from '../../change/documents/validationDocument.ts';
import type { Proof } from '../../change/explanation.ts';
import type { outcomeWords } from '../../change/words.ts';
import type { ResourceId } from '../../schema/record/ref.ts';

/** The commands that take `--report`. */
export type ReportedCommand = 'plan' | 'apply' | 'destroy' | 'drift' | 'validate' | 'explain' | 'undo' | 'show';

/**
 * The result of a command, in whatever form it is then told. It is made of the documents that `-o json` prints, in
 * which sensitive values are masked, so no form holds a secret.
 */
export interface Report {
  readonly tool: { readonly name: 'gantry'; readonly version: string };
  readonly command: ReportedCommand;
  readonly subject: Subject;
  readonly made?: Provenance;
  readonly outcome: Outcome;
  readonly exitCode: number;
  /** The error of the command, where it did not succeed. */
  readonly error?: ReportedError;
  /** One for each stack, in the order of their application; empty where the command failed before. */
  readonly plans: readonly ReportedPlan[];
  /** One for each stack, in the same order; empty but for `drift`. */
  readonly drifts: readonly DriftDocument[];
  readonly explanation?: ExplanationDocument;
  /** The problems of manifests: of `validate` all of them, of other commands those from before they planned. */
  readonly problems: readonly ProblemDocument[];
  /** As `-o json` prints it; null where it prints nothing. */
  readonly document: JsonValue;
}

/** When and by what a report was made, as far as it is known. */
export interface Provenance {
  /** ISO 8601, in UTC. */
  readonly at: string;
  /** That the pipeline has checked out. */
  readonly commit?: string | undefined;
  /** The address of the job of the pipeline. */
  readonly run?: string | undefined;
}

/** The stack, org and inputs of the command, as far as they are known. */
export interface Subject {
  readonly org?: string;
  /** The owner (`shop`, `shop.project@gvc`); absent where there are several, too. */
  readonly stack?: string;
  /** All of several, in the order of their application, also those that the command did not reach. */
  readonly stacks?: readonly string[];
  /** For manifests that name none. */
  readonly gvc?: string;
  /** The name of the environment that was chosen. */
  readonly environment?: string;
  /** Of the platform; `embedded`: the one of the process. */
  readonly endpoint?: string;
}

export interface ReportedPlan {
  /** With `rehearsal`, and after an apply with `result`: every change with its times, in the order of their ends. */
  readonly document: PlanDocument;
  readonly outcome: PlanOutcome;
  /** The proven effect of each PATCH; without those whose live record is not known. */
  readonly proofs: ReadonlyMap<ResourceId, Proof>;
}

export interface ReportedError extends ErrorCause {
  /** The single causes that the message sums up: refusals, problems of manifests, changes that failed. */
  readonly causes: readonly ErrorCause[];
}

type PlanOutcome = 'no-changes' | 'changes' | 'refused' | NonNullable<PlanDocument['result']>['outcome'];

export type Outcome = keyof typeof outcomeWords;

/** Of a plan that was run: how that ended. */
export function planOutcome({ refused, result, rehearsal, summary }: PlanDocument): PlanOutcome {
  if (result !== undefined) return result.outcome;
  if (refused || rehearsal?.consistent === false) return 'refused';
  const { keep, ...others } = summary;
  return Object.values(others).every((count) => count === 0) ? 'no-changes' : 'changes';
}

/** The proofs of a plan by resource, by the stack that the plan is of. */
type ProofsByStack = ReadonlyMap<string, ReadonlyMap<ResourceId, Proof>>;

/** `-o json` prints a document of one stack, or `{"stacks": […]}`. */
function documentsIn(document: JsonValue): readonly JsonValue[] {
  const stacks = fieldIn(document, 'stacks');
  return isArray(stacks) ? stacks : [document];
}

/** The plans in what `-o json` prints; none in documents of other commands. */
export function reportedPlans(document: JsonValue, proofs: ProofsByStack): readonly ReportedPlan[] {
  return documentsIn(document)
    .filter(planForm.is)
    .map((plan) => ({
      document: plan,
      outcome: planOutcome(plan),
      proofs: proofs.get(plan.stack) ?? new Map(),
    }));
}

/** The same of `drift`. */
export function reportedDrifts(document: JsonValue): readonly DriftDocument[] {
  return documentsIn(document).filter(driftForm.is);
}
