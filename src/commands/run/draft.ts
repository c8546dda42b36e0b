import { isObject, type JsonObject, type JsonValue, mapMembers, sameJson, stringAt } from '../../base/json/json.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { checkManifests } from '../../manifest/check/checkManifests.ts';
import type { ManifestDocument } from '../../manifest/model/document.ts';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import { parseManifestText } from '../../manifest/text/parseManifestText.ts';
import { toYaml } from '../../project/files/toYaml.ts';
import { hiddenField } from '../../schema/facts/kindFacts.ts';
import { type CreatableKind, isCreatableKind, isGvcScoped, type Kind } from '../../schema/record/kinds.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import { loadValidators } from '../../schema/validation/validators.ts';
import { printable } from '../../terminal/printable.ts';
import { gvcOf, inOrder } from '../call/records.ts';

/** A text that is being edited. */
export interface Draft {
  /** The record that the text was made from. */
  readonly live: JsonObject;
  /** The text of that record. */
  readonly original: string;
  readonly text: string;
  /** What is said above the text. */
  readonly said: readonly string[];
  /** The text cannot be sent as it is. */
  readonly isWrong: boolean;
  /** The text is a change on top of what somebody else wrote: it is sent when the person says so in the file. */
  readonly isRebased: boolean;
}

/** A record as it is. */
export async function draftOf(kind: Kind, live: JsonObject): Promise<Draft> {
  const original = await textOf(kind, live);
  return { live, original, text: original, said: [], isWrong: false, isRebased: false };
}

/** What a client can set of a record, as YAML. */
export function textOf(kind: Kind, record: JsonObject): Promise<string> {
  const { fields } = shapeOf(kind, record);
  const declarable = mapMembers(record, (value, name) => {
    const field = fields.get(name);
    return field === undefined || field.facts.responseOnly === true || name === 'health' ? undefined : value;
  });
  return toYaml(inOrder(declarable));
}

const mark = '# gantry: ';

const consent = 'Delete this line to send it. As long as the line is there, nothing is sent.';

/** Does the file still say that nothing is to be sent? */
export function isHeldBack({ isRebased, text }: Draft, saved: string): boolean {
  return isRebased && withoutHead(saved) === text && saved.includes(consent);
}

/** The text with what is said above it. */
export function headed({ said, text, isRebased }: Draft, ref: string): string {
  const usual = `Save and close the file to change ${ref}. Close it unchanged to change nothing.`;
  const lines = [...said, isRebased ? consent : usual];
  return `${lines.map((line) => `${mark}${printable(line)}\n`).join('')}${text}`;
}

/** The text without what was said above it. */
export function withoutHead(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith(mark.trimEnd()))
    .join('\n');
}

/** The record that is in a text, or what is wrong with it. */
export type Checked = { readonly record: JsonObject } | { readonly problems: readonly string[] };

/** What a text says; each problem with its line. What was wrong with the record before is no mistake of the edit. */
export async function checkDraft(kind: Kind, { live, original, text }: Draft, org: string): Promise<Checked> {
  const { documents, problems } = parseManifestText({ text, file: 'line', format: 'yaml' });
  if (problems.length > 0)
    return { problems: problems.map(({ position, message }) => `line ${position.line}: ${message}`) };
  const [document, ...others] = documents;
  if (document === undefined || others.length > 0 || !isObject(document.value)) {
    return { problems: ['the text must be one record, in one YAML document'] };
  }
  const record = document.value;
  if (stringAt(record, 'name') !== stringAt(live, 'name')) return { problems: ['name: a record cannot be renamed'] };
  if (!isCreatableKind(kind)) return { record };
  const found = await mistakesIn(document, kind, live, org);
  if (found.length === 0) return { record };
  const before = await mistakesBefore(original, kind, live, org);
  const made = found.filter((problem) => !before.some((old) => isSame(old, problem)));
  if (made.length === 0) return { record };
  return {
    problems: made.map(
      ({ position, path, message, hint }) =>
        `line ${position.line}: ${path === '' ? '' : `${path}: `}${message}${hint === undefined ? '' : ` (${hint})`}`,
    ),
  };
}

/** A problem, and the value that it is about. */
type Mistake = LocatedProblem & { readonly value: JsonValue | undefined };

async function mistakesIn(
  document: ManifestDocument,
  kind: CreatableKind,
  live: JsonObject,
  org: string,
): Promise<readonly Mistake[]> {
  const record = isObject(document.value) ? document.value : {};
  const gvc = gvcOf(live);
  const value = { kind, ...record, ...(gvc !== undefined && isGvcScoped(kind) ? { gvc } : {}) };
  const { problems } = checkManifests([{ ...document, value }], { org, validators: await loadValidators([kind]) });
  const hidden = hiddenField(kind);
  return problems
    .filter(({ severity, path }) => severity === 'error' && path !== hidden)
    .map((problem) => ({ ...problem, value: valueThere(record, problem.pointer) }));
}

async function mistakesBefore(
  original: string,
  kind: CreatableKind,
  live: JsonObject,
  org: string,
): Promise<readonly Mistake[]> {
  const [document] = parseManifestText({ text: original, file: 'line', format: 'yaml' }).documents;
  return document === undefined ? [] : mistakesIn(document, kind, live, org);
}

function isSame(one: Mistake, other: Mistake): boolean {
  return one.rule === other.rule && one.path === other.path && sameJson(one.value ?? null, other.value ?? null);
}
