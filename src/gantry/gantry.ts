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
import type { Settings } from '../project/settings/settings.ts';
import type { Rehearsal } from '../rehearsal/rehearsal.ts';
import type { DeclarableKind } from '../schema/record/kinds.ts';
import type { Adoption } from './adoptLive.ts';
import type { RunnablePlan, RunOptions } from './applying/runPlanned.ts';
import type { LoadedStack } from './loading/loadStack.ts';
import type { Planned, PlanningOptions } from './loading/planFromPlatform.ts';

/**
 * The project and the platform of a session. What is left out comes from the environment (`GANTRY_ENDPOINT`, …), then
 * from `gantry.yaml` of the project, as on the command line.
 */
export interface OpenOptions {
  /**
   * The folder of the project; relative paths start there. `false`: there is none, and no `gantry.yaml` is read.
   * @default the current folder
   */
  readonly project?: string | false;
  /** Address of the platform, or several addresses of the same platform, separated by commas. */
  readonly endpoint?: string;
  readonly token?: string;
  readonly org?: string;
  /** The GVC for manifests that name none. */
  readonly gvc?: string;
  /** The name under which the resources of a stack are owned; of several stacks in one source, the one that is meant. */
  readonly stack?: string;
  /** The environment that the code of stack files is asked for, as `--env`. */
  readonly env?: string;
  /** The file that maps the platform's own vocabulary. */
  readonly dialect?: string;
  /**
   * A platform that is part of this process: `memory` has no file and no port, and is gone when it is closed; else the
   * folder of its data, `.gantry` on the command line.
   */
  readonly embedded?: 'memory' | (string & {});
  /**
   * Of `memory`: what is there from the beginning, such as what `list` returned elsewhere. At least `kind`, `name`, and
   * `gvc` of what lives in one; nothing is checked.
   */
  readonly records?: readonly JsonObject[];
  /** @default process.env */
  readonly environment?: Environment;
  /** Takes notes, warnings, the output of stack files, repeated requests. */
  readonly onNotice?: (notice: Notice) => void;
}

/** Ends a step as Ctrl-C does. Errors then: `automation.interrupted`; of a run that has begun `apply.interrupted`. */
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
  /** In place of the name that the session was opened with. */
  readonly stack?: string;
}

/** Manifests that can be planned. */
export interface Stack extends LoadedStack {
  /** Problems that do not stop the plan. */
  readonly warnings: readonly LocatedProblem[];
}

/** The problems of manifests. */
export interface Validation {
  /** There may be warnings. */
  readonly valid: boolean;
  readonly resources: number;
  /** In the order of their places. */
  readonly problems: readonly LocatedProblem[];
}

/** The permits are those of the command line, with the same defaults. An example: `{ allowDataLoss: 1, maxDeletes: 20 }`. */
export interface PlanOptions extends Permits, Partial<Omit<PlanningOptions, keyof Permits>>, Abortable {
  /** Plans to delete everything that belongs to the stack, whatever it declares. */
  readonly destroy?: boolean;
  /** @default false */
  readonly rehearse?: Rehearse;
  /**
   * Plans of other stacks that are carried out before this one, in their order: what they change is known after apply, and a
   * rehearsal begins with what theirs have left. Where they are applied already, a value that a platform may still show as
   * it was is known after apply, too.
   */
  readonly after?: readonly NewPlan[];
}

/**
 * Runs the plan on the platform of this process, which begins with what was read; `crash`: interrupted at every request
 * too. A plan that is not consistent there is refused (`plan.rehearsal`), and `rehearsal` says why. This is what the
 * limit `rehearsal: required` of an environment asks for.
 */
export type Rehearse = boolean | 'crash';

/** A plan that can be read, saved, rehearsed and applied. */
export interface StackPlan {
  readonly plan: Plan;
  /** Nothing is to be done. A refused plan is not empty. */
  readonly isEmpty: boolean;
  /** Why it may not run: the error that `apply` would throw. */
  readonly refused: ToolError | undefined;
  /** How it went in rehearsal; undefined: that was not asked for, or the plan was refused before. */
  readonly rehearsal: Rehearsal | undefined;
  /** How many resources each action concerns. */
  readonly counts: Readonly<Record<Action, number>>;
  /** The document of `gantry plan -o json`; sensitive values are masked. */
  toJSON(): JsonObject;
}

/** A plan of a stack, with everything that it was made from. */
export interface NewPlan extends StackPlan, Planned, Pick<RunnablePlan, 'planAgain' | 'refusedNow'> {
  readonly inputs: SavedInputs;
  /** Those that its stack was loaded with. */
  readonly settings: Settings;
  readonly outputs: readonly Output[];
}

/** A plan out of a file, or one that takes another one back. */
export interface StoredPlan extends StackPlan {
  readonly saved: SavedPlan;
  /** Its inputs are found from here. */
  readonly folder: string;
  /** Of its project: their limits hold beside those that it was made under. */
  readonly settings: Settings;
  /** Those of its project, which are asked again; undefined: there are none. */
  readonly policies: () => Promise<ProjectPolicies | undefined>;
  /** Refuses it without the signatures that are required; undefined: it was not opened from a file. */
  readonly verify: ((trust: Trust) => Promise<void>) | undefined;
}

/** A key to sign a plan with. */
export interface SignOptions {
  /** The file of a private key (Ed25519). `GANTRY_SIGN_PASSPHRASE`: its passphrase. */
  readonly sign: string;
  /** How long the signature counts, in milliseconds. @default seven days */
  readonly validForMs?: number;
}

export interface ApproveOptions extends SignOptions, Pick<Trust, 'signedBy'> {}

/** `signedBy`, `approvedBy`: of a plan that was opened; a key of each has to have signed, as limits and `signers` may ask too. */
export interface ApplyOptions
  extends Pick<RunOptions, 'parallelism' | 'verify' | 'waitTimeoutMs' | 'consistencyTimeoutMs'>,
    Trust,
    Abortable {
  /** Called for each thing that happens, in order. */
  readonly on?: (event: ApplyEvent) => void;
  /**
   * For a stored plan that writes secrets, whose values no file holds: the stack that it was made from. Without it the
   * paths that it was made from are read again.
   */
  readonly stack?: Stack;
}

/** The result of an applied plan. */
export interface Applied {
  /** The plan that was run: of a stored plan its remaining changes. */
  readonly plan: Plan;
  readonly outcome: RunOutcome;
  readonly result: ApplyResult;
  readonly elapsedMs: number;
  /**
   * The outputs of the stack after the run. Of a stored plan: those of the `stack` that it was applied with, else none.
   */
  readonly outputs: OutputValues;
}

/** The values of a stack's outputs, by name. */
export type OutputValues = Readonly<Record<string, JsonValue | undefined>>;

export interface RehearseOptions {
  /** Interrupt it at every request too. @default false */
  readonly crash?: boolean;
  readonly onPoint?: (tried: number, of: number) => void;
}

export interface AdoptOptions extends Abortable {
  /** @default yaml */
  readonly format?: 'yaml' | 'ts';
  /** One file of YAML for each resource; code is always one file. @default false */
  readonly split?: boolean;
}

export interface UndoOptions
  extends Pick<Permits, 'allowCollateral' | 'allowDangling' | 'allowDataLoss' | 'allowUnseen'>,
    Abortable {
  /** @default false */
  readonly rehearse?: Rehearse;
}

/**
 * The steps of the command line for programs. They read no settings of the process but those that they are given, write
 * nothing to its terminal, and listen to no signal. Any number may be open, and steps may run at the same time.
 */
export interface Gantry extends AsyncDisposable {
  /** The org of the platform. */
  readonly org: string;
  /** The folder of the project. */
  readonly project: string;

  /** Reads and checks what declares resources. Errors: `input.invalid`, with a cause for each problem; `stack.choose`. */
  load(source?: StackSource, options?: LoadOptions): Promise<Stack>;
  /**
   * The same where a source holds several stacks: all of them, in the order in which they are to be applied. You apply
   * each of them, and own the order. What a stack deletes while a record of another one still uses it waits for that
   * stack: the plan keeps it, and names it in `plan.waiting`. Nothing goes back to it by itself. When all are applied,
   * plan and apply them again in the reverse order, until none waits. What waits for a stack that you never apply, or
   * that keeps its use, waits for ever; the plan of the same stack out of `load` is refused, and says what uses it.
   *
   * @example
   * const stacks = await gantry.loadAll('.');
   * for (const stack of stacks) await gantry.apply(await gantry.plan(stack));
   * for (const stack of stacks.toReversed()) await gantry.apply(await gantry.plan(stack));
   */
  loadAll(source?: StackSource, options?: LoadOptions): Promise<readonly Stack[]>;
  /** Everything that is wrong, without a platform; values from outside are not read. */
  validate(source?: StackSource, options?: Abortable): Promise<Validation>;

  /** Which declared resource refers to which, without a platform; values from outside are not read. */
  graph(source?: StackSource, options?: Abortable): Promise<ResourceGraph>;
  /**
   * Live resources (`kind/[gvc/]name`, or `all` that no stack owns) as manifests or code, proved: applying them with
   * `adopt: true` sets the owner and changes nothing else. Nothing is written, neither to files nor to the platform.
   *
   * Errors: `adopt.impossible` for what is named and cannot be adopted, `adopt.unreadable`, `adopt.unproven`.
   *
   * @example
   * const { files } = await gantry.adopt(['workload/shop/web'], { format: 'ts' });
   */
  adopt(resources: readonly string[] | 'all', options?: AdoptOptions): Promise<Adoption>;

  /** Reads what is live, and plans. Nothing is written. A plan may be refused: see `refused`. */
  plan(stack: Stack, options?: PlanOptions): Promise<NewPlan>;
  /** Rehearses a plan that was made before, to look at; it is not refused by it. Errors: `plan.refused`. */
  rehearse(plan: NewPlan, options?: RehearseOptions): Promise<Rehearsal>;
  /** Why a plan changes a resource (`kind/[gvc/]name`), or one of its fields (`spec.containers.main.cpu`). */
  explain(plan: NewPlan, resource: string, field?: string): Promise<Explanation>;

  /**
   * Saves a plan in a file, to be applied as it is, or those of several stacks in their order; signed too, where there
   * is a key. Errors: `plan.refused`, `saved.unwritable`, and those of keys.
   */
  save(
    plans: NewPlan | StoredPlan | readonly (NewPlan | StoredPlan)[],
    file: string,
    options?: Partial<SignOptions>,
  ): Promise<void>;
  /**
   * Signs a saved plan as approved, with another key than that of the plan. Whoever calls this has looked at it: nothing
   * is asked, neither of people nor of the platform. Errors: `saved.own-approval`, and those of saved plans and signatures.
   */
  approve(file: string, options: ApproveOptions): Promise<void>;
  /** A plan that was saved. Errors: `file.read`, `saved.damaged`; `stack.choose` where there are several in the file. */
  open(file: string): Promise<StoredPlan>;
  /** All plans of a file, in the order in which you apply them. */
  openAll(file: string): Promise<readonly StoredPlan[]>;

  /**
   * Carries a plan out. Errors: `plan.refused`, before anything is written; of a stored plan `plan.stale`, `plan.fact` and
   * those of signatures (`saved.unsigned`, …) likewise; an `ApplyError` where not everything was done. Deletions that
   * wait for another stack (`plan.waiting`, see `loadAll`) are no part of it: a later plan makes them.
   */
  apply(plan: NewPlan | StoredPlan, options?: ApplyOptions): Promise<Applied>;
  /** The plan that takes an applied one back. Errors: `undo.not-applied`, `undo.unfinished`, `undo.done`, `undo.impossible`, `plan.stale`. */
  undo(plan: NewPlan | StoredPlan, options?: UndoOptions): Promise<StoredPlan>;

  /** Changes that others have made since the stack last wrote its records. */
  drift(stack: Stack, options?: Abortable): Promise<Drift>;
  /** How the resources of a stack are now. */
  status(stack: Stack, options?: Abortable): Promise<StackStatus>;
  /**
   * The values that a stack hands on, by their names, read from the platform; undefined where there is none yet. Sensitive
   * ones too: what is done with them is up to the program.
   */
  outputs(stack: Stack, options?: Abortable): Promise<OutputValues>;
  /** A live record (`kind/[gvc/]name`); undefined where there is none. */
  read(resource: string): Promise<LiveResource | undefined>;
  /** All live records of the org, or those of a kind, by id; of secrets with their values as far as they may be read. */
  list(kind?: DeclarableKind): Promise<readonly LiveResource[]>;

  /** Ends the connections, and an embedded platform. */
  close(): Promise<void>;
}

/** Not everything of a plan was done; `applied` says what was. The code is that of the command line: `apply.partly`, … */
export class ApplyError extends ToolError {
  readonly applied: Applied;

  constructor({ code, message, hint, causes }: ToolError, applied: Applied) {
    super({ code, message, causes, ...present({ hint }) });
    this.applied = applied;
  }
}
