import type { ApplyEvent, ApplyResult, RunOutcome } from '../apply/events.ts';
import type { JsonObject, JsonValue } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import { ToolError } from '../base/toolError.ts';
import type { Drift } from '../change/drift.ts';
import type { Explanation } from '../change/explanation.ts';
import type { SavedInputs, SavedPlan } from '../change/savedPlan.ts';
import type { StackStatus } from '../change/status.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { LocatedProblem } from '../manifest/model/locatedProblem.ts';
import type { Output } from '../manifest/model/manifest.ts';
import type { Action } from '../plan/model/change.ts';
import type { Permits } from '../plan/model/permits.ts';
import type { Plan } from '../plan/model/plan.ts';
import type { ResourceGraph } from '../plan/order/desiredGraph.ts';
import type { ProjectPolicies } from '../policies/sandbox/projectPolicies.ts';
import type { Notice } from '../project/session/event.ts';
import type { Environment, Trust } from '../project/session/session.ts';
import type { Settings } from '../project/settings/resolveSettings.ts';
import type { Rehearsal } from '../rehearsal/rehearsal.ts';
import type { DeclarableKind } from '../schema/record/kinds.ts';
import type { Adoption } from './adoptLive.ts';
import type { RunnablePlan, RunOptions } from './applying/runPlanned.ts';
import type { LoadedStack } from './loading/loadStack.ts';
import type { Planned, PlanningOptions } from './loading/planFromPlatform.ts';

/**
 * The project and the platform of a session. Omitted options come from the environment (`GANTRY_ENDPOINT`, …), then
 * from `gantry.yaml` of the project, as on the command line.
 */
export interface OpenOptions {
  /**
   * The folder of the project; relative paths start there. `false`: there is no project, and no `gantry.yaml` is read.
   * @default the current folder
   */
  readonly project?: string | false;
  /** Address of the platform, or several addresses of the same platform, separated by commas. */
  readonly endpoint?: string;
  readonly token?: string;
  readonly org?: string;
  /** The GVC for manifests that name none. */
  readonly gvc?: string;
  /** The name under which a stack owns its resources; selects one of several stacks in a source. */
  readonly stack?: string;
  /** The environment for the code of stack files, as `--env`. */
  readonly env?: string;
  /** The file that maps the platform's own vocabulary. */
  readonly dialect?: string;
  /**
   * A platform in this process: `memory` has no file and no port, and its data is lost when it is closed; otherwise the
   * folder of its data, `.gantry` on the command line.
   */
  readonly embedded?: 'memory' | (string & {});
  /**
   * For `memory`: the initial records, such as the result of `list` elsewhere. At least `kind`, `name`, and `gvc` if
   * the record is in one; nothing is checked.
   */
  readonly records?: readonly JsonObject[];
  /** @default process.env */
  readonly environment?: Environment;
  /** Receives notes, warnings, the output of stack files, and retried requests. */
  readonly onNotice?: (notice: Notice) => void;
}

/** Ends a step as Ctrl-C does, with the error `automation.interrupted`, or `apply.interrupted` during a run. */
export interface Abortable {
  readonly signal?: AbortSignal;
}

/** An object with a tree of constructs: an `App`, or a `Stack` in one. */
export interface Synthesizable {
  synth(): readonly object[];
}

/**
 * A source of resources: paths as on the command line (files, folders, globs, a stack file), an `App` or a `Stack` of
 * this process, or manifests as objects.
 */
export type StackSource = string | readonly string[] | Synthesizable | readonly JsonObject[];

export interface LoadOptions extends Abortable {
  /** False: values from environment variables, files and commands are not read. @default true */
  readonly values?: boolean;
  /** Replaces the stack name of the session. */
  readonly stack?: string;
}

/** Manifests that can be planned. */
export interface Stack extends LoadedStack {
  /** Problems that do not stop the plan. */
  readonly warnings: readonly LocatedProblem[];
}

/** The problems of manifests. */
export interface Validation {
  /** True also with warnings. */
  readonly valid: boolean;
  readonly resources: number;
  /** Ordered by position. */
  readonly problems: readonly LocatedProblem[];
}

/**
 * The permits are those of the command line, with the same defaults. Example: `{ allowDataLoss: 1, maxDeletes: 20 }`.
 */
export interface PlanOptions extends Permits, Partial<Omit<PlanningOptions, keyof Permits>>, Abortable {
  /** Whether to delete everything that the stack owns, regardless of what it declares. */
  readonly destroy?: boolean;
  /** @default false */
  readonly rehearse?: Rehearse;
  /**
   * Plans of other stacks that are applied before this one, in their order: values that they change are treated as
   * known after apply, and a rehearsal starts from the result of theirs. If they are applied already, this also covers
   * values that a platform may still show as they were before.
   */
  readonly after?: readonly NewPlan[];
}

/**
 * Runs the plan on a platform in this process that starts with the records that were read; `crash`: also interrupts it
 * at every request. A plan that is inconsistent there is refused (`plan.rehearsal`), and `rehearsal` says why. The
 * limit `rehearsal: required` of an environment demands this.
 */
export type Rehearse = boolean | 'crash';

/** A plan to read, save, rehearse and apply. */
export interface StackPlan {
  readonly plan: Plan;
  /** Whether there is nothing to do. A refused plan is not empty. */
  readonly isEmpty: boolean;
  /** The reason why it must not run: the error that `apply` would throw. */
  readonly refused: ToolError | undefined;
  /** The result of the rehearsal; undefined if none was requested, or if the plan was refused before. */
  readonly rehearsal: Rehearsal | undefined;
  /** The number of resources per action. */
  readonly counts: Readonly<Record<Action, number>>;
  /** The document of `gantry plan -o json`; sensitive values are masked. */
  toJSON(): JsonObject;
}

/** A plan of a stack, with all its inputs. */
export interface NewPlan extends StackPlan, Planned, Pick<RunnablePlan, 'planAgain' | 'refusedNow'> {
  readonly inputs: SavedInputs;
  /** The settings that its stack was loaded with. */
  readonly settings: Settings;
  readonly outputs: readonly Output[];
}

/** A plan from a file, or one that undoes another. */
export interface StoredPlan extends StackPlan {
  readonly saved: SavedPlan;
  /** The base of its inputs' paths. */
  readonly folder: string;
  /** The settings of its project: their limits apply in addition to those that it was made under. */
  readonly settings: Settings;
  /** The policies of its project, which are evaluated again; undefined if there are none. */
  readonly policies: () => Promise<ProjectPolicies | undefined>;
  /** Throws if a required signature is missing; undefined if the plan was not opened from a file. */
  readonly verify: ((trust: Trust) => Promise<void>) | undefined;
}

/** A key to sign a plan with. */
export interface SignOptions {
  /** The file of a private key (Ed25519). `GANTRY_SIGN_PASSPHRASE`: its passphrase. */
  readonly sign: string;
  /** Validity of the signature in milliseconds. @default seven days */
  readonly validForMs?: number;
}

export interface ApproveOptions extends SignOptions, Pick<Trust, 'signedBy'> {}

/**
 * `signedBy`, `approvedBy`: for an opened plan. A key of each must have signed it, in addition to the demands of limits
 * and `signers`.
 */
export interface ApplyOptions
  extends Pick<RunOptions, 'parallelism' | 'verify' | 'waitTimeoutMs' | 'consistencyTimeoutMs'>,
    Trust,
    Abortable {
  /** Called for each event, in order. */
  readonly on?: (event: ApplyEvent) => void;
  /**
   * For a stored plan that writes secrets, whose values no file contains: the stack that it was made from. Without it
   * the paths that it was made from are read again.
   */
  readonly stack?: Stack;
}

export interface Applied {
  /** The plan that was run; for a stored plan only its remaining changes. */
  readonly plan: Plan;
  readonly outcome: RunOutcome;
  readonly result: ApplyResult;
  readonly elapsedMs: number;
  /**
   * The outputs of the stack after the run. For a stored plan: those of the `stack` that it was applied with, else
   * none.
   */
  readonly outputs: OutputValues;
}

/** The values of a stack's outputs, by name. */
export type OutputValues = Readonly<Record<string, JsonValue | undefined>>;

export interface RehearseOptions {
  /** Whether to also interrupt it at every request. @default false */
  readonly crash?: boolean;
  readonly onPoint?: (tried: number, of: number) => void;
}

export interface AdoptOptions extends Abortable {
  /** @default yaml */
  readonly format?: 'yaml' | 'ts';
  /** Whether to write one YAML file for each resource; code is always one file. @default false */
  readonly split?: boolean;
}

export interface UndoOptions
  extends Pick<Permits, 'allowCollateral' | 'allowDangling' | 'allowDataLoss' | 'allowUnseen'>,
    Abortable {
  /** @default false */
  readonly rehearse?: Rehearse;
}

/**
 * The steps of the command line for programs. They use no settings of the process except those passed to them, write
 * nothing to its terminal, and handle no signals. Several sessions may be open, and steps may run concurrently.
 */
export interface Gantry extends AsyncDisposable {
  /** The org of the platform. */
  readonly org: string;
  /** The folder of the project. */
  readonly project: string;

  /** Reads and checks a source. Errors: `input.invalid`, with a cause for each problem; `stack.choose`. */
  load(source?: StackSource, options?: LoadOptions): Promise<Stack>;
  /**
   * The same for a source with several stacks: returns all of them, in the order in which they must be applied. You
   * apply each of them, and are responsible for the order: a plan that needs a record of an earlier stack is refused
   * while that is not live, unless the plan of that stack is in `after`. If a stack deletes a record that another
   * stack still uses, the deletion waits for that stack: the plan keeps the record, and lists it in `plan.waiting`.
   * Nothing returns to it automatically. When all stacks are applied, plan and apply them again in the reverse order,
   * until nothing waits. A deletion waits forever if you never apply the other stack, or if that keeps its use; the
   * plan of the same stack from `load` is refused instead, and says what uses the record.
   *
   * @example
   * const stacks = await gantry.loadAll('.');
   * for (const stack of stacks) await gantry.apply(await gantry.plan(stack));
   * for (const stack of stacks.toReversed()) await gantry.apply(await gantry.plan(stack));
   */
  loadAll(source?: StackSource, options?: LoadOptions): Promise<readonly Stack[]>;
  /** All problems, without a platform; values from outside are not read. */
  validate(source?: StackSource, options?: Abortable): Promise<Validation>;

  /** The references between declared resources, without a platform; values from outside are not read. */
  graph(source?: StackSource, options?: Abortable): Promise<ResourceGraph>;
  /**
   * Live resources (`kind/[gvc/]name`, or `all` that no stack owns) as manifests or code, with a proof: applying them
   * with `adopt: true` sets the owner and changes nothing else. Nothing is written, neither to files nor to the
   * platform.
   *
   * Errors: `adopt.impossible` for a named resource that cannot be adopted, `adopt.unreadable`, `adopt.unproven`.
   *
   * @example
   * const { files } = await gantry.adopt(['workload/shop/web'], { format: 'ts' });
   */
  adopt(resources: readonly string[] | 'all', options?: AdoptOptions): Promise<Adoption>;

  /** Reads the live state and plans; writes nothing. A plan may be refused: see `refused`. */
  plan(stack: Stack, options?: PlanOptions): Promise<NewPlan>;
  /** Rehearses an existing plan for information; the result does not refuse it. Errors: `plan.refused`. */
  rehearse(plan: NewPlan, options?: RehearseOptions): Promise<Rehearsal>;
  /** Explains why a plan changes a resource (`kind/[gvc/]name`), or one of its fields (`spec.containers.main.cpu`). */
  explain(plan: NewPlan, resource: string, field?: string): Promise<Explanation>;

  /**
   * Saves a plan in a file, to be applied exactly, or the plans of several stacks in their order; signs it if there is
   * a key. Errors: `plan.refused`, `saved.unwritable`, and those of keys.
   */
  save(
    plans: NewPlan | StoredPlan | readonly (NewPlan | StoredPlan)[],
    file: string,
    options?: Partial<SignOptions>,
  ): Promise<void>;
  /**
   * Signs a saved plan as approved, with another key than that of the plan. The caller has reviewed it: no confirmation
   * is requested, and nothing is sent to the platform. Errors: `saved.own-approval`, and those of saved plans and
   * signatures.
   */
  approve(file: string, options: ApproveOptions): Promise<void>;
  /** Opens a saved plan. Errors: `file.read`, `saved.damaged`; `stack.choose` if the file has several. */
  open(file: string): Promise<StoredPlan>;
  /** All plans of a file, in the order in which you apply them. */
  openAll(file: string): Promise<readonly StoredPlan[]>;

  /**
   * Applies a plan. Errors before anything is written: `plan.refused`; for a stored plan also `plan.stale`, `plan.fact`
   * and those of signatures (`saved.unsigned`, …). Afterwards an `ApplyError` if not everything was done. Deletions
   * that wait for another stack (`plan.waiting`, see `loadAll`) are not part of it: a later plan makes them.
   */
  apply(plan: NewPlan | StoredPlan, options?: ApplyOptions): Promise<Applied>;
  /**
   * The plan that undoes an applied one. Errors: `undo.not-applied`, `undo.unfinished`, `undo.done`, `undo.impossible`,
   * `plan.stale`.
   */
  undo(plan: NewPlan | StoredPlan, options?: UndoOptions): Promise<StoredPlan>;

  /** Changes by others since the stack last wrote its records. */
  drift(stack: Stack, options?: Abortable): Promise<Drift>;
  /** The present status of a stack's resources. */
  status(stack: Stack, options?: Abortable): Promise<StackStatus>;
  /**
   * The outputs of a stack by name, read from the platform; undefined if there is no value yet. Includes sensitive
   * ones: the program must protect them.
   */
  outputs(stack: Stack, options?: Abortable): Promise<OutputValues>;
  /** A live record (`kind/[gvc/]name`); undefined if it does not exist. */
  read(resource: string): Promise<LiveResource | undefined>;
  /** All live records of the org, or those of a kind, by id; secrets with their values, if they may be read. */
  list(kind?: DeclarableKind): Promise<readonly LiveResource[]>;

  /** Closes the connections, and an embedded platform. */
  close(): Promise<void>;
}

/**
 * Not the whole plan was done; `applied` says which part was. The code is that of the command line: `apply.partly`, …
 */
export class ApplyError extends ToolError {
  readonly applied: Applied;

  constructor({ code, message, hint, causes }: ToolError, applied: Applied) {
    super({ code, message, causes, ...present({ hint }) });
    this.applied = applied;
  }
}
