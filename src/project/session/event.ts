import type { ApplyEvent } from '../../apply/events.ts';
import type { Drift } from '../../change/drift.ts';
import type { Explainable } from '../../change/explainChange.ts';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { Plan } from '../../plan/model/plan.ts';

/** The names of a project and its parts, if settings contain them. */
export interface ProjectNames {
  readonly org?: string;
  /** The owner: the value of `gantry/stack`. */
  readonly stack?: string;
  /** For manifests that name none. */
  readonly gvc?: string;
  readonly environment?: string;
  /** The endpoint of the platform; `embedded`: the one of this process. */
  readonly endpoint?: string;
}

/** All events of steps, for displays, reports and notifications. No result depends on them. */
export type StepEvent =
  | Notice
  /** The settings of the project were read. */
  | { readonly type: 'project'; readonly names: ProjectNames }
  /** The owners of the stacks of a step, before the first one is planned. */
  | { readonly type: 'stacks'; readonly owners: readonly string[] }
  /** A plan was made. `from`: the inputs that prove its patches; absent if a refused plan was only read. */
  | { readonly type: 'plan'; readonly plan: Plan; readonly from?: Explainable }
  /** The number of interruption points tried so far. */
  | { readonly type: 'rehearsing'; readonly tried: number; readonly of: number }
  | { readonly type: 'rehearsed' }
  /** A run begins, continues, and ends, with any outcome. */
  | { readonly type: 'begun'; readonly plan: Plan }
  | { readonly type: 'run'; readonly event: ApplyEvent }
  | { readonly type: 'ended' }
  | { readonly type: 'drift'; readonly drift: Drift };

const notices: ReadonlySet<StepEvent['type']> = new Set<Notice['type']>(['note', 'output', 'problems', 'retry']);

/** Whether the event interests users in every step. */
export function isNotice(event: StepEvent): event is Notice {
  return notices.has(event.type);
}

/** Messages for users during a step. No result depends on them. */
export type Notice =
  /** A note on found or omitted files, or on a change on this machine. */
  | { readonly type: 'note'; readonly text: string }
  /** A line that a stack wrote to its standard output or error. */
  | { readonly type: 'output'; readonly file: string; readonly line: string }
  /** The problems of manifests: warnings, and errors before they are thrown. */
  | { readonly type: 'problems'; readonly problems: readonly LocatedProblem[] }
  /** A request is retried after this delay. */
  | { readonly type: 'retry'; readonly because: string; readonly delayMs: number };
