import type { ChangeDocument, PlanDocument } from '../change/documents/planDocument.ts';
import type { Proof } from '../change/explain/explanation.ts';
import type { Report, ReportedPlan } from './model/report.ts';
import type { Picture } from './picture/picture.ts';
import type { GrownSection } from './tree/tree.ts';

/** What a page shows, as JSON in the page itself. Nothing else reaches its script. */
export interface PageData
  extends Pick<Report, 'tool' | 'command' | 'subject' | 'outcome' | 'exitCode' | 'error' | 'explanation' | 'problems'> {
  readonly title: string;
  /** All that is printed as it stands: the drift of each stack. */
  readonly sections: readonly GrownSection[];
  readonly plans: readonly PagePlan[];
}

export interface PagePlan extends Pick<ReportedPlan, 'outcome'> {
  readonly document: PlanDocument;
  /** By the id of the change. */
  readonly proofs: Readonly<Record<string, Proof>>;
  /** Null: there is nothing to draw, or more than can be drawn. */
  readonly picture: Picture | null;
}

export type PageChange = ChangeDocument;
