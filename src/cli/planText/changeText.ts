import { actionWords, riskWords } from '../../change/words.ts';
import type { Change, Refusal } from '../../plan/model/change.ts';
import type { FieldChange } from '../../plan/model/fieldChange.ts';
import { kindFacts } from '../../schema/facts/kindFacts.ts';
import type { Risk } from '../../schema/facts/risk.ts';
import type { Palette } from '../../terminal/palette.ts';
import { printable, printableLines } from '../../terminal/printable.ts';
import { textWidth } from '../../terminal/textWidth.ts';
import { wrapText } from '../../terminal/wrapText.ts';
import { type FieldLook, isListed, renderField } from './fieldText.ts';

export interface ChangeLook extends FieldLook {
  /** Show the bodies of PATCH requests. */
  readonly bodies: boolean;
  /** `compact`: a line for each change. `full`: nothing is folded or cut. */
  readonly detail: 'compact' | 'normal' | 'full';
}

const indent = '      ';
/** Paths are padded to the widest, but not beyond this, and on a narrow screen values keep some room. */
const widestPath = 56;
const roomForValues = 24;

/** `+ workload/shop/web (version 3)  downtime`. */
export function renderHead(change: Change, look: ChangeLook): readonly string[] {
  return headOf(change, change.id, change.liveVersion, look);
}

/** The head of a block about what is named; what does not fit beside the name stands below it. */
export function headOf(
  { action, intended, risk }: Change,
  named: string,
  version: number | undefined,
  { palette, width }: ChangeLook,
): readonly string[] {
  const { sign, tone } = actionWords[action];
  const asides = [
    ...(version === undefined ? [] : [`(version ${version})`]),
    ...(intended === undefined ? [] : [`(would: ${intended})`]),
  ].join(' ');
  const name = printable(named);
  const worst = renderRisk(risk, palette);
  const facts = [...(asides === '' ? [] : [palette.faint(asides)]), ...(worst === undefined ? [] : [` ${worst}`])];
  const columns = `  ${sign} ${name} ${asides}  ${risk ?? ''}`.length;
  const head = `  ${palette[tone](sign)} ${palette.strong(name)}`;
  if (facts.length === 0) return [head];
  return columns <= width ? [`${head} ${facts.join(' ')}`] : [head, `${indent}${facts.join(' ').trimStart()}`];
}

/** The word in its colour; undefined where there is nothing to say. */
export function renderRisk(risk: Risk | undefined, palette: Palette): string | undefined {
  return risk === undefined || risk === 'none' ? undefined : palette[riskWords[risk].tone](risk);
}

/** What stands below the head: why, the fields, what goes along, what stands against it. */
export function renderBody(change: Change, given: ChangeLook): readonly string[] {
  const { palette } = given;
  const look = { ...given, width: given.width - indent.length, whole: given.detail === 'full' };
  const fields = shownFields(change, given);
  const paths = fields.filter((field) => !isListed(field)).map(({ path }) => textWidth(printable(path)));
  const padding = Math.min(widestPath, look.width - roomForValues, Math.max(0, ...paths));
  const wrapped = (text: string, paint: (line: string) => string): readonly string[] =>
    wrapText(text, look.width, '', '  ').map(paint);
  return [
    ...(isOfAnyWrite(change) ? wrapped(anyWrite, palette.faint) : []),
    ...(change.reason === '' ? [] : wrapped(printable(change.reason), palette.faint)),
    ...(change.via === undefined ? [] : wrapped(`goes with ${printable(change.via)}`, palette.faint)),
    ...fields.flatMap((field) => renderField(field, padding, look)),
    ...change.cascadesTo.map((id) => palette.remove(`also deletes ${printable(id)}`)),
    ...(change.victims ?? []).map((id) => palette.remove(`affects ${printable(id)}`)),
    ...(change.then === undefined ? [] : wrapped(secondStep(change), palette.faint)),
    ...change.refusals.flatMap((refusal) => renderRefusal(refusal, look)),
    ...change.notes.flatMap((note) => wrapped(`note: ${printable(note)}`, palette.faint)),
    ...(look.bodies ? renderBodies(change) : []),
  ].map((line) => `${indent}${line}`);
}

/** The head says what a new resource is called. */
function shownFields({ action, name, fields }: Change, { detail }: ChangeLook): readonly FieldChange[] {
  if (action !== 'create' || detail === 'full') return fields;
  return fields.filter(({ path, new: value }) => path !== 'name' || value !== name);
}

const anyWrite = `every write of a workload, even of a tag or a description, makes a new version that is rolled out`;

/** True if it is restarted although no field that changes would do that. */
function isOfAnyWrite({ kind, action, risk, fields }: Change): boolean {
  const writes = action === 'patch' || action === 'adopt' || action === 'forget';
  return (
    writes &&
    risk === 'rolling-restart' &&
    kindFacts(kind).risks.write === risk &&
    !fields.some((field) => field.risk === risk)
  );
}

/** `refused code: why`, and what would allow it. */
export function renderRefusal({ code, message, allow }: Refusal, { palette, width }: FieldLook): readonly string[] {
  const [first = '', ...rest] = printableLines(message);
  const head = `refused ${code}`;
  const [opening = '', ...more] = wrapText(`: ${first}`, width - head.length, '', '  ');
  return [
    `${palette.refuse(head)}${opening}`,
    ...more.flatMap((line) => wrapText(line.trimStart(), width, '  ')),
    ...rest.flatMap((line) => wrapText(line, width, '  ')),
    ...(allow === undefined ? [] : [`  allowed by ${palette.strong(printable(allow))}`]),
  ];
}

function secondStep(change: Change): string {
  const after = (change.thenRequires ?? []).map(({ on }) => printable(on));
  return `in a second step${after.length === 0 ? '' : `, after ${after.join(', ')}`}: ${fieldNames(change)}`;
}

function fieldNames(change: Change): string {
  return Object.keys(change.then?.masked ?? {})
    .map(printable)
    .join(', ');
}

function renderBodies(change: Change): readonly string[] {
  const bodies = [
    ['PATCH', change.patch],
    ['then PATCH', change.then],
  ] as const;
  return bodies.flatMap(([verb, body]) => {
    if (body === undefined) return [];
    const [first = '', ...rest] = JSON.stringify(body.masked, null, 2).split('\n');
    return [`${verb} ${printable(first)}`, ...rest.map((line) => printable(line))];
  });
}
