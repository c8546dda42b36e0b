import type { ChangeDocument, PlanDocument } from '../change/documents/planDocument.ts';
import type { Report, ReportedPlan } from './model/report.ts';
import type { Picture } from './picture.ts';
import type { Grown, GrownSection, Problem } from './tree/tree.ts';

/** The data of a page, as JSON in the page itself. Nothing else reaches its script. */
export interface PageData
  extends Pick<Report, 'tool' | 'command' | 'subject' | 'made' | 'outcome' | 'exitCode' | 'error' | 'problems'> {
  readonly title: string;
  /** All that is printed as it stands: the drift of each stack, an explanation. */
  readonly sections: readonly GrownSection[];
  readonly plans: readonly PagePlan[];
}

export interface PagePlan extends Pick<ReportedPlan, 'outcome'> {
  readonly document: Omit<PlanDocument, 'changes' | 'refusals' | 'rehearsal'>;
  /** The outcome of an apply. */
  readonly result?: readonly Grown[];
  readonly rehearsal?: { readonly isConsistent: boolean; readonly told: Grown };
  /** Why nothing will be written, with the change that it is about. */
  readonly refusals: readonly { readonly id?: string; readonly problem: Problem }[];
  readonly changes: readonly PageChange[];
  /** Null: nothing changes, or there is more than can be drawn. */
  readonly picture: Picture | null;
}

/** The row of a change, by which it is also found and sorted, and what is below it. */
export interface PageChange
  extends Pick<ChangeDocument, 'id' | 'action' | 'intended' | 'kind' | 'gvc' | 'risk' | 'reason'> {
  /** The effect, in a few words. */
  readonly brief: string;
  readonly hasNotes: boolean;
  readonly children: readonly Grown[];
}
