import type { Change, Refusal } from '../../plan/plan.ts';
import { type FieldLook, renderField } from './fieldText.ts';
import { printable, printableLines } from './printable.ts';
import { renderRisk } from './riskText.ts';
import { looks } from './symbols.ts';

export interface ChangeLook extends FieldLook {
  /** Show the bodies of PATCH requests. */
  readonly bodies: boolean;
}

const indent = '      ';
/** Paths are padded to the widest, but not beyond this. */
const widestPath = 56;

/** The block of one change: its head, why, its fields, what goes along, what stands against it. */
export function renderChange(change: Change, look: ChangeLook): readonly string[] {
  const { palette } = look;
  const { symbol, paint } = looks[change.action];
  const version = change.liveVersion === undefined ? '' : palette.faint(` (version ${change.liveVersion})`);
  const intended = change.intended === undefined ? '' : ` ${palette.faint(`(would: ${change.intended})`)}`;
  const risk = renderRisk(change.risk, palette);
  const head = `  ${palette[paint](symbol)} ${palette.strong(printable(change.id))}${version}${intended}${risk === undefined ? '' : `  ${risk}`}`;

  const width = Math.min(widestPath, Math.max(0, ...change.fields.map(({ path }) => path.length)));
  return [
    head,
    ...(isOfAnyWrite(change) ? [`${indent}${palette.faint(anyWrite)}`] : []),
    ...(change.reason === '' ? [] : [`${indent}${palette.faint(printable(change.reason))}`]),
    ...(change.via === undefined ? [] : [`${indent}${palette.faint(`goes with ${printable(change.via)}`)}`]),
    ...change.fields.flatMap((field) => renderField(field, width, look)).map((line) => `${indent}${line}`),
    ...change.cascadesTo.map((id) => `${indent}${palette.remove(`takes along ${printable(id)}`)}`),
    ...(change.victims ?? []).map((id) => `${indent}${palette.remove(`hits ${printable(id)}`)}`),
    ...(change.then === undefined ? [] : [`${indent}${palette.faint(secondStep(change))}`]),
    ...change.refusals.flatMap((refusal) => renderRefusal(refusal, look)).map((line) => `${indent}${line}`),
    ...change.notes.map((note) => `${indent}${palette.faint(`note: ${printable(note)}`)}`),
    ...(look.bodies ? renderBodies(change) : []),
  ];
}

const anyWrite = `any write of a workload makes a new version, which is rolled out: of a tag or a description too`;

/** True if it is restarted although no field that changes would do that. */
function isOfAnyWrite({ kind, action, risk, fields }: Change): boolean {
  const writes = action === 'patch' || action === 'adopt' || action === 'forget';
  return kind === 'workload' && writes && risk === 'rolling-restart' && !fields.some((field) => field.risk === risk);
}

/** `refused code: why`, and what would allow it. */
export function renderRefusal({ code, message, allow }: Refusal, { palette }: FieldLook): readonly string[] {
  const [first = '', ...rest] = printableLines(message);
  return [
    `${palette.refuse(`refused ${code}`)}: ${first}`,
    ...rest.map((line) => `  ${line}`),
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
    return [`${indent}${verb} ${printable(first)}`, ...rest.map((line) => `${indent}${printable(line)}`)];
  });
}
