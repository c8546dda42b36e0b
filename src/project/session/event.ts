import type { ApplyEvent } from '../../apply/events.ts';
import type { Drift } from '../../change/drift.ts';
import type { Explainable } from '../../change/explainChange.ts';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { Plan } from '../../plan/model/plan.ts';

/** The names of a project and its parts, as far as settings have them. */
export interface ProjectNames {
  readonly org?: string;
  /** The owner: what `gantry/stack` says. */
  readonly stack?: string;
  /** For manifests that name none. */
  readonly gvc?: string;
  readonly environment?: string;
  /** Of the platform; `embedded`: the one of this process. */
  readonly endpoint?: string;
}

/** Everything that happens on the way: displays, reports and notifications are made of it. No result depends on it. */
export type StepEvent =
  | Notice
  /** The settings of the project were read. */
  | { readonly type: 'project'; readonly names: ProjectNames }
  /** The owners of the stacks that the steps are about, before the first of them is planned. */
  | { readonly type: 'stacks'; readonly owners: readonly string[] }
  /** There is a plan. `from`: what its patches are proven from; absent where a refused plan was only read. */
  | { readonly type: 'plan'; readonly plan: Plan; readonly from?: Explainable }
  /** So many points of interruption were tried. */
  | { readonly type: 'rehearsing'; readonly tried: number; readonly of: number }
  | { readonly type: 'rehearsed' }
  /** A run begins, goes on, and ends, whatever becomes of it. */
  | { readonly type: 'begun'; readonly plan: Plan }
  | { readonly type: 'run'; readonly event: ApplyEvent }
  | { readonly type: 'ended' }
  | { readonly type: 'drift'; readonly drift: Drift };

const notices: ReadonlySet<StepEvent['type']> = new Set<Notice['type']>(['note', 'output', 'problems', 'retry']);

/** Is it something that people may want to know, whatever the step is? */
export function isNotice(event: StepEvent): event is Notice {
  return notices.has(event.type);
}

/** News for people on the way. No result depends on it. */
export type Notice =
  /** A note on files that were found or left out, or on a change on this machine. */
  | { readonly type: 'note'; readonly text: string }
  /** A line that a stack wrote to its standard output or error. */
  | { readonly type: 'output'; readonly file: string; readonly line: string }
  /** The problems of manifests: warnings, and errors before they are thrown. */
  | { readonly type: 'problems'; readonly problems: readonly LocatedProblem[] }
  /** A request is sent again after this delay. */
  | { readonly type: 'retry'; readonly because: string; readonly delayMs: number };
