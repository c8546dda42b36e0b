import type { ChangeDocument } from '../../change/documents/planDocument.ts';
import type { ExplainedField, Explanation } from '../../change/explain/explanation.ts';
import type { Report } from '../model/report.ts';
import { changeItem, weightOf } from '../tree/change.ts';
import { driftTree } from '../tree/drift.ts';
import { type Item, proofLine, type Section } from '../tree/tree.ts';
import type { Foldable } from './fold.ts';
import { code, details, htmlCode } from './inline.ts';
import { diffOf, itemLevels, lineMarkdown } from './treeMarkdown.ts';

/** Something that is told as fully as there is room for. */
export interface DetailItem {
  readonly levels: Foldable;
  /** What it is counted as where it is not told: `to create`. */
  readonly as: string;
  /** What weighs more is told more fully. */
  readonly weight: number;
}

type DetailedReport = Pick<Report, 'plans' | 'drifts' | 'explanation'>;

/** Everything that has details, the most important of each plan first. */
export function detailItems({ plans, drifts, explanation }: DetailedReport): readonly DetailItem[] {
  return [
    ...plans.flatMap(({ document, proofs }) =>
      changesOf(document.changes).map((change) =>
        detailOf(changeItem(change, { org: document.org, proof: proofs.get(change.id) })),
      ),
    ),
    ...drifts.flatMap((drift) => itemsOf(driftTree(drift))),
    ...(explanation?.fields.map((field) => ({ levels: explanationLevels(field), as: 'fields', weight: 0 })) ?? []),
  ];
}

function itemsOf(section: Section): readonly DetailItem[] {
  return section.children().flatMap((node) => (node.node === 'item' ? [detailOf(node)] : []));
}

function detailOf(item: Item): DetailItem {
  return { levels: itemLevels(item), as: item.as, weight: item.weight };
}

/** What is refused, then by risk; what is kept only where something is to be said of it. */
function changesOf(changes: readonly ChangeDocument[]): readonly ChangeDocument[] {
  return changes
    .filter(({ action, notes }) => action !== 'keep' || notes.length > 0)
    .toSorted((a, b) => weightOf(b) - weightOf(a));
}

/** What is planned for the resource, and why. */
export function explanationFacts({ resource, action, reason, owner, proof, refusals }: Explanation): string {
  return [
    `- ${code(resource)}: ${action}${reason === '' ? '' : `, ${code(reason)}`}`,
    ...(owner === undefined ? [] : [`- owner: ${code(owner)}`]),
    ...(proof === undefined ? [] : [`- ${lineMarkdown(proofLine(proof).line)}`]),
    ...refusals.slice(0, mostRefusals).map(({ code: id, message }) => `- refused: ${code(id)} ${code(message)}`),
  ].join('\n');
}

const mostRefusals = 20;

/** Why one field is changed: in one line, and with its values and who wrote the live one. */
function explanationLevels({ path, because, declared, live, at, writer, risk }: ExplainedField): Foldable {
  const value = {
    path,
    ...(live === undefined ? {} : { old: live }),
    ...(declared === undefined ? {} : { new: declared }),
    ...(risk === undefined ? {} : { risk }),
  };
  const facts = [
    `- ${code(because)}`,
    ...(at === undefined ? [] : [`- declared at ${code(`${at.file}:${at.line}:${at.column}`)}`]),
    ...(writer === undefined || writer === null
      ? []
      : [`- live since version ${writer.version}, by ${code(writer.name)} at ${code(writer.at)}`]),
  ].join('\n');
  const body = [diffOf([value]), facts].join('\n\n');
  return ['', `- ${code(path)}: ${code(because)}`, details(htmlCode(path), body)];
}
