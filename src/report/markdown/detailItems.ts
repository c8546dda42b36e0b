import type { JsonValue } from '../../base/json/json.ts';
import { counted } from '../../base/text/counted.ts';
import type { ChangeDocument, FieldDocument } from '../../change/documents/planDocument.ts';
import { isDrifted } from '../../change/drift/drift.ts';
import type { ExplainedField, Explanation, Proof } from '../../change/explain/explanation.ts';
import { actionWords, driftWords } from '../../change/words.ts';
import { type Cause, describeCause } from '../../plan/model/cause.ts';
import { isHidden } from '../../plan/model/fieldChange.ts';
import { risks } from '../../schema/facts/risk.ts';
import type { DriftedResource } from '../model/driftFindings.ts';
import { lineDiff } from '../model/lineDiff.ts';
import type { Report, ReportedPlan } from '../model/report.ts';
import { visible, visiblePart } from '../model/visible.ts';
import type { Foldable } from './fold.ts';
import { code, codes, details, fenced, htmlCode } from './inline.ts';

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
  return { levels: driftLevels(resource), as: driftWords[resource.state].counted, weight: isDrifted(resource) ? 1 : 0 };
}

const mostWriters = 5;

/** A resource that others wrote: in one line, and with its fields and everybody who wrote it. */
function driftLevels({ id, state, orphaned, owner, writes, fields, leftAlone = [] }: DriftedResource): Foldable {
  const what = `${driftWords[state].words}${orphaned ? ', and no longer declared' : ''}`;
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

/** What is planned for the resource, and why. */
export function explanationFacts({ resource, action, reason, owner, proof, refusals }: Explanation): string {
  return [
    `- ${code(resource)}: ${action}${reason === '' ? '' : `, ${code(reason)}`}`,
    ...(owner === undefined ? [] : [`- owner: ${code(owner)}`]),
    ...(proof === undefined ? [] : [`- ${proofText(proof)}`]),
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
  const body = [fenced('diff', diffLines(fieldDiff(value))), facts].join('\n\n');
  return ['', `- ${code(path)}: ${code(because)}`, details(htmlCode(path), body)];
}

const longestBody = 20_000;
const mostNamed = 10;

/** A change in one line, with its fields, and with its patch too. */
function changeLevels(change: ChangeDocument, proof: Proof | undefined): Foldable {
  const { action, id, risk } = change;
  const worst = risk === undefined || risk === 'none' ? '' : risk;
  const line = `- \`${actionWords[action].sign}\` ${code(id)}${worst === '' ? '' : ` **${worst}**`}`;
  const summary = `<code>${actionWords[action].sign}</code> ${htmlCode(id)}${worst === '' ? '' : ` <b>${worst}</b>`}`;
  const short = [fenced('diff', fieldLines(change)), facts(change, proof)].filter((text) => text !== '').join('\n\n');
  const whole = [short, ...bodies(change)].join('\n\n');
  return ['', line, details(summary, short), ...(whole === short ? [] : [details(summary, whole)])];
}

function fieldLines({ reason, intended, fields, cause }: ChangeDocument): readonly string[] {
  return diffLines([
    ...(intended === undefined ? [] : [`# would ${intended}`]),
    ...(reason === '' ? [] : [`# ${reason}`]),
    ...fields.flatMap((field) => fieldDiff(field, cause)),
  ]);
}

function facts(change: ChangeDocument, proof: Proof | undefined): string {
  const { place, via, cascadesTo, victims = [], losesData = [], notes, waitsFor = [] } = change;
  const at = place === undefined ? [] : [`declared at ${code(`${place.file}:${place.line}:${place.column}`)}`];
  return [
    ...at,
    ...(via === undefined ? [] : [`goes along with ${code(via)}`]),
    ...(cascadesTo.length === 0 ? [] : [`deletes along with it ${codes(cascadesTo, mostNamed)}`]),
    ...(losesData.length === 0 ? [] : [`loses the data of ${codes(losesData, mostNamed)}`]),
    ...(victims.length === 0 ? [] : [`affects ${codes(victims, mostNamed)}, which belong to others`]),
    ...(waitsFor.length === 0 ? [] : [`waits for ${codes([...new Set(waitsFor.map(({ on }) => on))], mostNamed)}`]),
    ...(proof === undefined ? [] : [proofText(proof)]),
    ...notes.map((note) => `note: ${code(note)}`),
  ]
    .map((fact) => `- ${fact}`)
    .join('\n');
}

function proofText({ holds, managed, untouched, against }: Proof): string {
  if (!holds) return `**not proven**: it would change ${codes(against, mostNamed)} too`;
  return `proven: ${counted(managed, 'managed field')} as declared, ${counted(untouched, 'other')} unchanged`;
}

/** The bodies of PATCH requests; sensitive values are masked in them. */
function bodies({ patch, then }: ChangeDocument): readonly string[] {
  const named = [
    ['PATCH', patch],
    ['then PATCH', then],
  ] as const;
  return named.flatMap(([title, body]) => {
    if (body === undefined) return [];
    const text = JSON.stringify(body, null, 2);
    if (text.length > longestBody) return [`${title}: a body of ${text.length} characters`];
    return [`${title}\n\n${fenced('json', text.split('\n').map(visible))}`];
  });
}

const mostLines = 100;
const longestLine = 300;

/** Lines as a block may hold them: none too long, and not too many. */
function diffLines(lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, mostLines).map((line) => visiblePart(line, longestLine));
  const more = lines.length - mostLines;
  return more > 0 ? [...shown, `# and ${counted(more, 'more line')}`] : shown;
}

/** `- path: old` and `+ path: new`, or the lines in which two texts differ. */
function fieldDiff({ path, old, new: next, cause, risk }: FieldDocument, common?: Cause): readonly string[] {
  const why = cause === undefined || cause === common ? [] : [`# ${describeCause(cause)}`];
  const aside = risk === undefined || risk === 'none' ? '' : `  # ${risk}`;
  if (typeof old === 'string' && typeof next === 'string' && `${old}${next}`.includes('\n')) {
    const lines = lineDiff(old, next).map(({ sign, text }) => (sign === '@' ? `@${text}` : `${sign}   ${text}`));
    return [`! ${path}:${aside}`, ...lines, ...why];
  }
  if (old !== undefined && next !== undefined && isHidden(next)) return [`! ${path}: ${shown(next)}${aside}`, ...why];
  return [
    ...(old === undefined ? [] : [`- ${path}: ${shown(old)}`]),
    ...(next === undefined ? [] : [`+ ${path}: ${shown(next)}${aside}`]),
    ...(old === undefined && next === undefined ? [`! ${path}`] : []),
    ...why,
  ];
}

function shown(value: JsonValue): string {
  if (!isHidden(value)) return JSON.stringify(value);
  return value.changed ? '(sensitive, changed)' : '(sensitive)';
}
