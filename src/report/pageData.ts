import type { ChangeDocument, PlanDocument } from '../change/documents/planDocument.ts';
import type { Picture } from './picture.ts';
import type { Report, ReportedPlan } from './report.ts';
import type { Grown, GrownSection, Problem } from './tree/tree.ts';

/** The data of a page, as JSON in the page itself. Its script gets nothing else. */
export interface PageData
  extends Pick<Report, 'tool' | 'command' | 'subject' | 'made' | 'outcome' | 'exitCode' | 'error' | 'problems'> {
  readonly title: string;
  /** The parts that are printed unchanged: the drift of each stack, an explanation. */
  readonly sections: readonly GrownSection[];
  readonly plans: readonly PagePlan[];
}

export interface PagePlan extends Pick<ReportedPlan, 'outcome'> {
  readonly document: Omit<PlanDocument, 'changes' | 'refusals' | 'rehearsal'>;
  /** The outcome of an apply. */
  readonly result?: readonly Grown[];
  readonly rehearsal?: { readonly isConsistent: boolean; readonly told: Grown };
  /** Why nothing will be written, with the change concerned. */
  readonly refusals: readonly { readonly id?: string; readonly problem: Problem }[];
  readonly changes: readonly PageChange[];
  /** Null if nothing changes, or if there is more than can be drawn. */
  readonly picture: Picture | null;
}

/** The row of a change, which is also used to search and sort, and its details. */
export interface PageChange
  extends Pick<ChangeDocument, 'id' | 'action' | 'intended' | 'kind' | 'gvc' | 'risk' | 'reason'> {
  /** The effect, in a few words. */
  readonly brief: string;
  readonly hasNotes: boolean;
  readonly children: readonly Grown[];
}
