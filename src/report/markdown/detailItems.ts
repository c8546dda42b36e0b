import type { ChangeDocument } from '../../change/documents/planDocument.ts';
import type { Report } from '../model/report.ts';
import { changeItem, weightOf } from '../tree/change.ts';
import { driftTree } from '../tree/drift.ts';
import { fieldItem } from '../tree/explanation.ts';
import type { Item, Section } from '../tree/tree.ts';
import type { Foldable } from './fold.ts';
import { itemLevels } from './treeMarkdown.ts';

/** Something that is told as fully as there is room for. */
export interface DetailItem {
  readonly levels: Foldable;
  /** The words under which it is counted where it is not told: `to create`. */
  readonly as: string;
  /** Heavier sections are told more fully. */
  readonly weight: number;
}

type DetailedReport = Pick<Report, 'plans' | 'drifts' | 'explanation'>;

/** Everything that has details, the most important of each plan first. */
export function detailItems({ plans, drifts, explanation }: DetailedReport): readonly DetailItem[] {
  return [
    ...plans.flatMap(({ document, proofs }) =>
      changesOf(document.changes).map((change) => detailOf(changeItem(change, { proof: proofs.get(change.id) }))),
    ),
    ...drifts.flatMap((drift) => itemsOf(driftTree(drift))),
    ...(explanation?.fields.map((field) => detailOf(fieldItem(field))) ?? []),
  ];
}

function itemsOf(section: Section): readonly DetailItem[] {
  return section.children().flatMap((node) => (node.node === 'item' ? [detailOf(node)] : []));
}

function detailOf(item: Item): DetailItem {
  return { levels: itemLevels(item), as: item.as, weight: item.weight };
}

/** Refused changes, then the others by risk; unchanged resources only where there is something to say of them. */
function changesOf(changes: readonly ChangeDocument[]): readonly ChangeDocument[] {
  return changes
    .filter(({ action, notes }) => action !== 'keep' || notes.length > 0)
    .toSorted((a, b) => weightOf(b) - weightOf(a));
}
