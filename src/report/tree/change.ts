import { isArray, type JsonArray, type JsonValue } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { counted } from '../../base/text/counted.ts';
import { firstOf } from '../../base/text/firstOf.ts';
import { inWords } from '../../base/text/inWords.ts';
import type { ChangeDocument, PlanDocument } from '../../change/documents/planDocument.ts';
import type { Proof } from '../../change/explanation.ts';
import { actionWords } from '../../change/words.ts';
import { kindFacts } from '../../kinds/kindFacts.ts';
import { withLiveValues } from '../../manifest/live/liveReference.ts';
import { minuteOf } from '../../plan/model/cause.ts';
import { type AccessChange, isHidden } from '../../plan/model/change.ts';
import { risks } from '../../schema/facts/risk.ts';
import { kindNamed } from '../../schema/record/kinds.ts';
import {
  faintLine,
  fieldsNode,
  type Group,
  type Item,
  type Line,
  type LineNode,
  line,
  type Node,
  names,
  type Problem,
  plainText,
  proofLine,
  refusalNode,
} from './tree.ts';

/** Facts about a change that reports show in addition. */
export interface ChangeFacts {
  readonly proof?: Proof | undefined;
  readonly result?: PlanDocument['result'];
  /** The changes that wait for this one. */
  readonly waiters?: readonly string[] | undefined;
}

/** One change of a plan: its reason, fields, cascade and objections. */
export function changeItem(change: ChangeDocument, facts: ChangeFacts = {}): Item {
  const { id, action, intended, liveVersion, risk } = change;
  const { sign, tone, todo } = actionWords[action];
  const asides = compact([
    liveVersion === undefined ? undefined : `(version ${liveVersion})`,
    intended === undefined ? undefined : `(would be ${actionWords[intended].done})`,
  ]).join(' ');
  return {
    ...{ node: 'item', id, sign, tone, risk, words: [], as: todo, weight: weightOf(change) },
    aside: asides === '' ? [] : [' ', { text: asides, tone: 'faint' }],
    children: () => childrenOf(change, facts),
  };
}

/** Refused changes weigh most, then the risk counts. */
export function weightOf({ action, risk = 'none' }: ChangeDocument): number {
  return action === 'refuse' ? risks.length : risks.indexOf(risk);
}

/** `image 1.4 → 1.5 and 2 more`: the difference, in a few words. */
export function briefOf(change: ChangeDocument): string {
  const fields = toldFields(change);
  const [first] = fields;
  if (first === undefined || change.action === 'create') return '';
  const { path, old, new: next } = first;
  const name = path.slice(path.lastIndexOf('.') + 1);
  const more = fields.length === 1 ? '' : ` and ${fields.length - 1} more`;
  if (isArray(old) && isArray(next)) {
    // For a list, only the differences; for a list of objects, their effect on access.
    const items = itemsBrief(old, next);
    if (items !== undefined) return `${name} ${items}${more}`;
    const access = accessBrief(change.access);
    if (access !== undefined) return access;
  }
  const values = compact([old, next], (value) => (value === undefined ? undefined : shortly(value)));
  const sign = old === undefined ? '+ ' : next === undefined ? '- ' : '';
  return `${sign}${name} ${values.join(' → ')}${more}`;
}

const mostItems = 2;

/** `- a + b`: the removed and added items; undefined if only their order changes, or they are not plain values. */
function itemsBrief(old: JsonArray, next: JsonArray): string | undefined {
  if ([...old, ...next].some((item) => item !== null && typeof item === 'object')) return undefined;
  const gone = old.filter((item) => !next.includes(item)).map((item) => `- ${shortly(item)}`);
  const come = next.filter((item) => !old.includes(item)).map((item) => `+ ${shortly(item)}`);
  const all = [...gone.slice(0, 1), ...come, ...gone.slice(1)];
  if (all.length === 0) return undefined;
  const left = all.length - mostItems;
  return `${all.slice(0, mostItems).join(' ')}${left > 0 ? `, ${left} more` : ''}`;
}

/** The fields, with words instead of references to unknown values, which a note names. */
function toldFields({ fields, awaits = [] }: ChangeDocument): ChangeDocument['fields'] {
  if (awaits.length === 0) return fields;
  const told = new Map(awaits.map((reference) => [reference, '(known after apply)']));
  return fields.map((field) => (field.new === undefined ? field : { ...field, new: withLiveValues(field.new, told) }));
}

const longestValue = 30;

function shortly(value: JsonValue): string {
  if (isHidden(value)) return '(sensitive)';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= longestValue ? text : `…${text.slice(1 - longestValue)}`;
}

function childrenOf(change: ChangeDocument, { proof, result, waiters = [] }: ChangeFacts): readonly Node[] {
  const { reason, via, cause, renamedFrom, cascadesTo, victims = [], losesData = [], then, takes = [] } = change;
  const { refusals, place, waitsFor = [], notes, create, patch, id } = change;
  const waited = new Map(
    waitsFor.map(({ on, because, soft }) => [on, soft ? `${because} (goes on where that fails)` : because]),
  );
  return compact([
    isOfAnyWrite(change) ? faintLine(anyWrite) : undefined,
    reason === '' ? undefined : faintLine({ name: reason }),
    names('goes with', compact([via])),
    ...(cause?.others ?? []).map(({ name, type, version, at }) =>
      onPage(`version ${version} by `, { name }, ' (', { name: type }, `), ${minuteOf(at)}`),
    ),
    names('had the name', compact([renamedFrom]), { where: 'page' }),
    fieldsNode(toldFields(change)),
    accessNode(change.access),
    names('also deletes', cascadesTo, { tone: 'remove' }),
    names('loses the data of', losesData, { tone: 'refuse', where: 'reports' }),
    names('affects', victims, { tone: 'remove', after: ' of another owner' }),
    then === undefined ? undefined : secondStep(change, Object.keys(then)),
    takes.length === 0
      ? undefined
      : onPage('takes from all in it ', { name: takes.map((each) => `${each.what} ${each.name}`).join(', ') }),
    ...refusals.map(refusalNode),
    ...endOf(id, result),
    place === undefined
      ? undefined
      : inReports('declared at ', { name: `${place.file}:${place.line}:${place.column}` }),
    names('waits for', [...waited.keys()], {
      where: 'reports',
      names: [...waited].map(([on, because]) => ({ id: on, because })),
    }),
    names('waited for by', waiters, { where: 'page' }),
    proof === undefined ? undefined : proofLine(proof),
    ...notes.map((note) => faintLine('note: ', { name: note })),
    create === undefined ? undefined : ({ node: 'body', where: 'page', title: 'POST', body: create } as const),
    patch === undefined ? undefined : ({ node: 'body', title: 'PATCH', body: patch } as const),
    then === undefined ? undefined : ({ node: 'body', title: 'then PATCH', body: then } as const),
  ]);
}

function inReports(...pieces: Line): LineNode {
  return { ...line(...pieces), where: 'reports' };
}

function onPage(...pieces: Line): LineNode {
  return { ...faintLine(...pieces), where: 'page' };
}

const anyWrite = 'every write of a workload, even of a tag or a description, makes a new version that is rolled out';

/** Whether it is restarted although none of the changed fields requires that. */
function isOfAnyWrite({ kind, action, risk, fields }: ChangeDocument): boolean {
  const named = kindNamed(kind);
  const writes = action === 'patch' || action === 'adopt' || action === 'forget';
  return (
    writes &&
    risk === 'rolling-restart' &&
    named !== undefined &&
    kindFacts(named).risks.write === risk &&
    !fields.some((field) => field.risk === risk)
  );
}

function secondStep({ thenRequires = [] }: ChangeDocument, fields: readonly string[]): LineNode {
  const after: Line = thenRequires.length === 0 ? [] : [', after ', { name: thenRequires.join(', ') }];
  return faintLine('in a second step', ...after, ': ', { name: fields.join(', ') });
}

/** The outcome of the change, after an apply. */
function endOf(id: string, result: ChangeFacts['result']): readonly Problem[] {
  const failed = result?.failed.find((each) => each.id === id);
  const skipped = result?.skipped.find((each) => each.id === id);
  return compact([
    failed === undefined ? undefined : ({ node: 'problem', where: 'page', word: 'failed', ...failed } as const),
    skipped === undefined
      ? undefined
      : ({ node: 'problem', where: 'page', word: 'skipped', code: 'apply.skipped', message: skipped.because } as const),
  ]);
}

/** The gained and lost access, a line for each principal and permission; undefined if there is none. */
export function accessNode(access: readonly AccessChange[] = []): Group | undefined {
  if (access.length === 0) return undefined;
  return { node: 'group', title: ['access:'], children: () => linesOf(access) };
}

/** The first of these lines; undefined if there is none. */
function accessBrief(access: readonly AccessChange[] = []): string | undefined {
  const [first, ...others] = linesOf(access);
  if (first === undefined) return undefined;
  return `${plainText(first.line).replaceAll('  ', ' ')}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}

const mostTargets = 5;

function linesOf(access: readonly AccessChange[]): readonly LineNode[] {
  // Each address has its own line, so that none is hidden behind others.
  const alike = Map.groupBy(access, ({ target, ...others }) => JSON.stringify([others, isTraffic(others) && target]));
  return [...alike.values()].flatMap((entries): readonly LineNode[] => {
    const [first] = entries;
    if (first === undefined) return [];
    const gained = first.change === 'gained';
    const target = firstOf(
      entries.map((each) => each.target),
      mostTargets,
    );
    const text = textOf({ ...first, target });
    return [{ node: 'line', tone: gained ? 'add' : 'remove', line: [gained ? '+ ' : '- ', { name: text }] }];
  });
}

function isTraffic({ permission }: Pick<AccessChange, 'permission'>): boolean {
  return permission === 'inbound' || permission === 'outbound';
}

/** Such as `reveal  group/ops on secret/db (3 users through group/ops; still through policy/readers)`. */
function textOf({ change, principal, permission, target, through, also, members }: AccessChange): string {
  if (isTraffic({ permission })) return `${permission} from ${principal} to ${target}`;
  // Its target is the group whose line this is below.
  if (permission === 'member') return `member  ${principal}`;
  const by = through === undefined ? membersText(members) : '';
  const group = through ?? (by === '' ? undefined : principal);
  const notes = compact([
    group === undefined ? undefined : `${by}through ${group}`,
    also === undefined
      ? undefined
      : `${change === 'lost' ? 'still' : 'already'} through ${inWords(Object.values(also), 'and')}`,
  ]);
  return `${permission}  ${principal} on ${target}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

/** `3 users and 1 service account `; empty if the members are unknown. */
function membersText(members: AccessChange['members']): string {
  if (members === undefined) return '';
  const { users, serviceAccounts, more } = members;
  const counts = compact([
    users === 0 && serviceAccounts > 0 ? undefined : counted(users, 'user'),
    serviceAccounts === 0 ? undefined : counted(serviceAccounts, 'service account'),
  ]).join(' and ');
  return `${more === true ? 'at least ' : ''}${counts} `;
}
