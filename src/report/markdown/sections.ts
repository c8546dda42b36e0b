import { counted } from '../../base/text/counted.ts';
import type { DriftDocument } from '../../change/documents/driftDocument.ts';
import { signatureWords } from '../../change/documents/signatureWords.ts';
import type { StorageUse } from '../../plan/model/storageUse.ts';
import type { Report, ReportedPlan } from '../model/report.ts';
import { driftTree } from '../tree/drift.ts';
import { headGroup } from '../tree/explanation.ts';
import { rehearsalGroup } from '../tree/rehearsal.ts';
import { resultTree } from '../tree/result.ts';
import { type DetailItem, detailItems } from './detailItems.ts';
import { code, codes, details } from './inline.ts';
import { blocksOf, lineMarkdown } from './treeMarkdown.ts';

/** One of several stacks, or the whole report. */
export interface Section {
  /** Its heading, where it has one, and what is said of it as a whole. */
  readonly before: readonly string[];
  /** How much of that there was no room for. */
  readonly missing: number;
  readonly items: readonly DetailItem[];
}

/** More stacks are counted only, in the headline too. */
export const mostStacks = 40;
/** Of what is said of plans as a whole, in characters. */
const roomForFacts = 16_000;

export function sectionsOf(report: Report): readonly Section[] {
  const { plans, drifts, explanation } = report;
  if (plans.length > 1)
    return [...plans.slice(0, mostStacks).map(ofStack), ofOthers({ plans: plans.slice(mostStacks) })];
  if (drifts.length > 1)
    return [...drifts.slice(0, mostStacks).map(ofDrift), ofOthers({ drifts: drifts.slice(mostStacks) })];
  const { before, missing } = fitting(plans.flatMap(planFacts), roomForFacts);
  const explained = explanation === undefined ? [] : [explanationFacts(explanation)];
  const compared = drifts.map((drift) => lineMarkdown(driftTree(drift).summary));
  return [{ before: [...before, ...explained, ...compared], missing, items: detailItems(report) }];
}

function ofStack(plan: ReportedPlan, _: number, { length }: readonly ReportedPlan[]): Section {
  const { before, missing } = fitting(planFacts(plan), Math.floor(roomForFacts / length));
  const heading = `#### Stack ${code(plan.document.stack, 100)}`;
  const items = detailItems({ plans: [plan], drifts: [] });
  const isSilent = before.length + missing + items.length === 0;
  return { before: [heading, ...(isSilent ? ['No changes.'] : before)], missing, items };
}

function ofDrift(drift: DriftDocument): Section {
  const before = [`#### Stack ${code(drift.stack, 100)}`, lineMarkdown(driftTree(drift).summary)];
  return { before, missing: 0, items: detailItems({ plans: [], drifts: [drift] }) };
}

function ofOthers({ plans = [], drifts = [] }: Partial<Pick<Report, 'plans' | 'drifts'>>): Section {
  const items = detailItems({ plans, drifts }).map((item) => ({ ...item, levels: [''] }));
  return { before: [], missing: plans.flatMap(planFacts).length, items };
}

function fitting(facts: readonly string[], room: number): Pick<Section, 'before' | 'missing'> {
  let left = room;
  const before = facts.filter(({ length }) => {
    if (length > left) return false;
    left -= length;
    return true;
  });
  return { before, missing: facts.length - before.length };
}

const mostLines = 20;

/** The planned action for the resource, and why. */
function explanationFacts(explanation: NonNullable<Report['explanation']>): string {
  const refusals = explanation.refusals.slice(0, mostLines);
  return [
    ...blocksOf([headGroup(explanation)]),
    ...refusals.map(({ code: id, message }) => `- refused: ${code(id)} ${code(message)}`),
  ].join('\n');
}

/** The facts of a plan as a whole. */
function planFacts({
  document: { changes, storage, notes, leftOut, rehearsal, result, signatures },
}: ReportedPlan): readonly string[] {
  return [
    ...(storage === undefined || !storage.sets.some(({ concerned }) => concerned) ? [] : [storageText(storage)]),
    ...(rehearsal === undefined ? [] : [lineMarkdown(rehearsalGroup(rehearsal).title)]),
    ...(signatures === undefined || signatures.length === 0 ? [] : [signaturesText(signatures)]),
    ...(leftOut === undefined || leftOut.length === 0
      ? []
      : [
          `Left for later by --target or --exclude: ${codes(
            leftOut.map(({ id }) => id),
            mostLines,
          )}.`,
        ]),
    ...(notes.length === 0
      ? []
      : [
          listed(
            'Notes',
            notes.map((note) => code(note)),
          ),
        ]),
    ...(result === undefined ? [] : [resultText(result, changes), ...timeline(result)]),
  ];
}

function storageText({ before, after, ceiling, currency, atLeast }: StorageUse): string {
  const rows = [
    ['now', before],
    ['after', after],
    ['if everything grows', ceiling],
  ] as const;
  const isPriced = currency !== undefined && rows.every(([, { cost }]) => cost !== undefined);
  const cells = rows.map(([title, { gb, cost = 0 }]) => {
    const least = atLeast === true && title !== 'now' ? 'at least ' : '';
    return `| ${title} | ${least}${Math.round(gb * 100) / 100} |${isPriced ? ` ${cost.toFixed(2)} |` : ''}`;
  });
  const head = isPriced
    ? ['| Storage | GB | a month |', '| --- | ---: | ---: |']
    : ['| Storage | GB |', '| --- | ---: |'];
  return [...head, ...cells, ...(isPriced ? ['', `Prices are in ${code(currency)}.`] : [])].join('\n');
}

/** `Signatures: 1 valid, 1 not verified.` */
function signaturesText(signatures: NonNullable<ReportedPlan['document']['signatures']>): string {
  const states = Map.groupBy(signatures, ({ state }) => state);
  const said = [...states].map(([state, of]) => `${of.length} ${signatureWords[state]}`);
  return `Signatures: ${said.join(', ')}.`;
}

type Result = NonNullable<ReportedPlan['document']['result']>;

/** The outcome; the differences that verification found stand with the findings, above all else. */
function resultText(result: Result, changes: ReportedPlan['document']['changes']): string {
  return blocksOf(resultTree({ ...result, differences: [] }, changes).told).join('\n');
}

/** The steps of the run, in the order in which they ended. */
function timeline({ changes = [], requests, elapsedMs }: Result): readonly string[] {
  if (changes.length === 0) return [];
  const lines = changes.map(({ id, outcome, startedAt, elapsedMs: took }) => {
    const at = startedAt === undefined ? '' : ` from ${startedAt.slice(11, 23)}`;
    return `${code(id)} ${outcome}${at}${took === undefined ? '' : `, ${seconds(took)}`}`;
  });
  const time = elapsedMs === undefined ? '' : ` in ${seconds(elapsedMs)}`;
  return [listed(`${counted(requests, 'request')}${time}`, lines)];
}

/** To be opened. `title` is ours. */
function listed(title: string, lines: readonly string[]): string {
  const more = lines.length - mostLines;
  const shown = [...lines.slice(0, mostLines), ...(more > 0 ? [`and ${more} more`] : [])];
  return details(title, shown.map((line) => `- ${line}`).join('\n'));
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
