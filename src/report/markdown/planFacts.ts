import { counted } from '../../base/text/counted.ts';
import { signatureWords } from '../../change/documents/signatureWords.ts';
import type { StorageUse } from '../../plan/model/storageUse.ts';
import type { ReportedPlan } from '../model/report.ts';
import { code, codes, details } from './inline.ts';

const mostLines = 20;

/** What is said of a plan as a whole. */
export function planFacts({
  document: { storage, notes, leftOut, rehearsal, result, signatures },
}: ReportedPlan): readonly string[] {
  return [
    ...(storage === undefined || !storage.sets.some(({ concerned }) => concerned) ? [] : [storageText(storage)]),
    ...(rehearsal === undefined ? [] : [rehearsalText(rehearsal)]),
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
    ...(result === undefined ? [] : timeline(result)),
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

function rehearsalText({ consistent, requests, points }: NonNullable<ReportedPlan['document']['rehearsal']>): string {
  const tried = `${requests} requests, ${points.tried} of ${points.of} interruption points`;
  return consistent ? `Rehearsal: consistent (${tried}).` : `**Rehearsal: not consistent** (${tried}).`;
}

/** `Signatures: 1 valid, 1 not verified.` */
function signaturesText(signatures: NonNullable<ReportedPlan['document']['signatures']>): string {
  const states = Map.groupBy(signatures, ({ state }) => state);
  const said = [...states].map(([state, of]) => `${of.length} ${signatureWords[state]}`);
  return `Signatures: ${said.join(', ')}.`;
}

/** What the run did, in the order in which it ended. */
function timeline({
  changes = [],
  requests,
  elapsedMs,
}: NonNullable<ReportedPlan['document']['result']>): readonly string[] {
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
