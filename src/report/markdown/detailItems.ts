import type { ChangeDocument } from '../../change/documents/planDocument.ts';
import { isDrifted } from '../../change/drift/drift.ts';
import { actionWords } from '../../plan/model/actionWords.ts';
import { risks } from '../../schema/facts/risk.ts';
import { type DriftedResource, driftWords } from '../model/driftFindings.ts';
import type { Report, ReportedPlan } from '../model/report.ts';
import { changeLevels } from './changeText.ts';
import { explanationLevels } from './explanationText.ts';
import { diffLines, fieldDiff } from './fieldDiff.ts';
import type { Foldable } from './fold.ts';
import { code, details, fenced, htmlCode } from './inline.ts';

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
    ...plans.flatMap(({ document, proofs }) => changesOf(document.changes).map((change) => changeItem(change, proofs))),
    ...drifts.flatMap(({ resources }) =>
      resources.filter((each) => isDrifted(each) || each.state === 'left-alone').map(driftItem),
    ),
    ...(explanation?.fields.map((field) => ({ levels: explanationLevels(field), as: 'fields', weight: 0 })) ?? []),
  ];
}

/** What is refused, then by risk; what is kept only where something is to be said of it. */
function changesOf(changes: readonly ChangeDocument[]): readonly ChangeDocument[] {
  return changes
    .filter(({ action, notes }) => action !== 'keep' || notes.length > 0)
    .toSorted((a, b) => weightOf(b) - weightOf(a));
}

function weightOf({ action, risk }: ChangeDocument): number {
  return action === 'refuse' ? risks.length : risks.indexOf(risk ?? 'none');
}

function changeItem(change: ChangeDocument, proofs: ReportedPlan['proofs']): DetailItem {
  const { todo } = actionWords[change.action];
  return { levels: changeLevels(change, proofs.get(change.id)), as: todo, weight: weightOf(change) };
}

function driftItem(resource: DriftedResource): DetailItem {
  return { levels: driftLevels(resource), as: driftWords[resource.state], weight: isDrifted(resource) ? 1 : 0 };
}

const mostWriters = 5;

/** A resource that others wrote: in one line, and with its fields and everybody who wrote it. */
function driftLevels({ id, state, orphaned, owner, writes, fields, leftAlone = [] }: DriftedResource): Foldable {
  const what = `${driftWords[state]}${orphaned ? ', and no longer declared' : ''}`;
  const writers = (writes ?? []).map(({ action, by, at, version }) => {
    return `- version ${version}: ${action} by ${code(by.name)} (${code(by.type)}) at ${code(at)}`;
  });
  const lines = diffLines((fields ?? []).flatMap((field) => fieldDiff(field)));
  const kept = diffLines(leftAlone.flatMap((field) => fieldDiff(field)));
  const body = [
    ...(owner === undefined ? [] : [`- owner: ${code(owner)}`]),
    ...writers.slice(0, mostWriters),
    ...(writers.length > mostWriters ? [`- and ${writers.length - mostWriters} more writes`] : []),
    ...(writes === null ? ['- who wrote it is not known: the audit trail cannot be read'] : []),
  ].join('\n');
  const blocks = [
    body,
    lines.length === 0 ? '' : fenced('diff', lines),
    kept.length === 0 ? '' : `Left alone: no apply changes it.\n\n${fenced('diff', kept)}`,
  ].filter((block) => block !== '');
  const line = `- ${code(id)}: ${what}`;
  return ['', line, ...(blocks.length === 0 ? [] : [details(`${htmlCode(id)} ${what}`, blocks.join('\n\n'))])];
}
