import { isObject, type JsonObject, type JsonValue, put } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { inWords } from '../../base/text/inWords.ts';
import type { Unknown } from '../../kinds/registry.ts';
import type { KnownKind } from '../../schema/record/kinds.ts';
import type { AttributePath, Diagnostic } from '../diagnostic.ts';
import { quoted } from '../names.ts';
import {
  type ChoiceForm,
  type EntriesForm,
  type Form,
  isBlockForm,
  type LeafForm,
  type ObjectForm,
} from '../schema/form.ts';
import { choiceOf, layoutOf } from '../schema/kindLayout.ts';
import { ownNames, writeOnly } from '../schema/ownAttributes.ts';
import { attributeOf, isListValue, isObjectValue, type ObjectValue, unknown, type Value } from '../value.ts';

/** One resource of a configuration, a plan or a state, in Gantry's form. */
export interface ManifestOfValue {
  /** The manifest: `kind`, `name`, `gvc`, `lifecycle` and the known fields of the record. */
  readonly resource: JsonObject;
  /** Only the fields of the record: the body of a creation. */
  readonly record: JsonObject;
  /** The unknown places of the record. Each is omitted; an unknown item of a list of objects is `{}`. */
  readonly unknowns: readonly Unknown[];
  /** Values that cannot be written as a manifest: text that is not JSON, two attributes of which one is allowed. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Null values are omitted; unknown values are omitted leaf by leaf. */
export function manifestOf(kind: KnownKind, value: ObjectValue): ManifestOfValue {
  const findings: ConversionFindings = { unknowns: [], diagnostics: [] };
  const record = objectOf(layoutOf(kind).record, value, top, findings);
  const data = writeOnlyData(kind, value, record, findings);
  const whole = data === undefined ? record : { ...record, ...data };
  const { name, description, tags, ...rest } = whole;
  const gvc = attributeOf(value, ownNames.gvc);
  const isProtected = attributeOf(value, ownNames.protected);
  if (gvc === unknown) findings.unknowns.push({ pointer: ['gvc'] });
  const resource: Record<string, JsonValue> = { kind };
  if (name !== undefined) resource['name'] = name;
  if (typeof gvc === 'string') resource['gvc'] = gvc;
  if (description !== undefined) resource['description'] = description;
  if (tags !== undefined) resource['tags'] = tags;
  if (typeof isProtected === 'boolean' && isProtected) resource['lifecycle'] = { protect: true };
  return { resource: { ...resource, ...rest }, record: whole, ...findings };
}

/** The place of a value in the configuration, and in the record. */
interface Place {
  readonly path: AttributePath;
  readonly pointer: Pointer;
}

const top: Place = { path: [], pointer: [] };

function inside({ path, pointer }: Place, attribute: string | number, step: string | number): Place {
  return { path: [...path, attribute], pointer: [...pointer, step] };
}

interface ConversionFindings {
  readonly unknowns: Unknown[];
  readonly diagnostics: Diagnostic[];
}

/** A secret value that is only in the configuration. */
function writeOnlyData(
  kind: KnownKind,
  value: ObjectValue,
  record: JsonObject,
  findings: ConversionFindings,
): JsonObject | undefined {
  const secret = attributeOf(value, writeOnly.data);
  const member = choiceOf(kind);
  if (isEmptyBlock(secret) || member === undefined) return undefined;
  if (secret === unknown) {
    if (!Object.hasOwn(record, member.field)) findings.unknowns.push({ pointer: [member.field] });
    return undefined;
  }
  if (Object.hasOwn(record, member.field)) {
    findings.diagnostics.push(onlyOne([writeOnly.data], [member.name, writeOnly.data]));
    return undefined;
  }
  const data = jsonOf(member.form, secret, inside(top, writeOnly.data, member.field), findings);
  return data === undefined ? undefined : { [member.field]: data };
}

/** The JSON of one value; undefined if it is not set, or not known. */
export function jsonOfForm(form: Form, value: Value): JsonValue | undefined {
  return jsonOf(form, value, top, { unknowns: [], diagnostics: [] });
}

function jsonOf(form: Form, value: Value, at: Place, findings: ConversionFindings): JsonValue | undefined {
  const { path } = at;
  if (value === null) return undefined;
  if (value === unknown) {
    findings.unknowns.push({ pointer: at.pointer });
    return undefined;
  }
  switch (form.is) {
    case 'object':
      return isObjectValue(value) ? objectOf(form, value, at, findings) : wrongType(path, findings);
    case 'list': {
      if (!isListValue(value)) return wrongType(path, findings);
      const isOfObjects = form.item.is === 'object';
      if (!isOfObjects && value.includes(unknown)) findings.unknowns.push({ pointer: at.pointer, members: true });
      return value.flatMap((item, index) => {
        if (item === unknown && !isOfObjects) return [];
        const json = jsonOf(form.item, item, inside(at, index, index), findings);
        return json === undefined ? (item === null ? [null] : isOfObjects ? [{}] : []) : [json];
      });
    }
    case 'entries':
      return isObjectValue(value) ? itemsOf(form, value, at, findings) : wrongType(path, findings);
    case 'map': {
      if (!isObjectValue(value)) return wrongType(path, findings);
      const map: Record<string, JsonValue> = {};
      for (const [key, member] of Object.entries(value)) {
        const json = jsonOf(form.value, member, inside(at, key, key), findings);
        if (json !== undefined) put(map, key, json);
      }
      return map;
    }
    case 'choice':
      return isObjectValue(value) ? chosen(form, value, at, findings) : wrongType(path, findings);
    default:
      return leafOf(form, value, at, findings);
  }
}

/** The items of a list that is written as a map, without those that are null. */
function itemsOf(
  { key, field, value: text }: EntriesForm,
  map: ObjectValue,
  at: Place,
  findings: ConversionFindings,
): JsonValue {
  const set = Object.entries(map).filter(([, value]) => value !== null);
  return set.map(([name, value], index) => {
    const place = { path: [...at.path, name], pointer: [...at.pointer, index, field] };
    const json = jsonOf(text, value, place, findings);
    return { [key]: name, ...(json === undefined ? {} : { [field]: json }) };
  });
}

function objectOf(
  { members, others }: ObjectForm,
  value: ObjectValue,
  at: Place,
  findings: ConversionFindings,
): JsonObject {
  const { path } = at;
  const object: Record<string, JsonValue> = {};
  const setBy = new Map<string, string>();
  for (const { name, field, form } of members) {
    const json = jsonOf(form, attributeOf(value, name), inside(at, name, field), findings);
    if (json === undefined) continue;
    const other = setBy.get(field);
    if (other !== undefined) findings.diagnostics.push(onlyOne([...path, name], [other, name]));
    setBy.set(field, name);
    put(object, field, json);
  }
  if (others === undefined) return object;
  if (attributeOf(value, others) === unknown) findings.unknowns.push({ pointer: at.pointer, members: true });
  const more = jsonText(attributeOf(value, others), [...path, others], findings);
  if (more === undefined) return object;
  if (!isObject(more)) {
    findings.diagnostics.push(problem([...path, others], 'is no JSON object', 'Write jsonencode({…}).'));
    return object;
  }
  for (const [field, json] of Object.entries(more)) {
    const member = members.find((each) => each.field === field);
    if (member === undefined) put(object, field, json);
    else {
      const fix = `Set ${member.name} instead.`;
      findings.diagnostics.push(problem([...path, others], `sets ${field}, which is an attribute of its own`, fix));
    }
  }
  return object;
}

function chosen(
  { choices, by }: ChoiceForm,
  value: ObjectValue,
  { path, pointer }: Place,
  findings: ConversionFindings,
): JsonValue | undefined {
  const set = choices.filter(({ name }) => attributeOf(value, name) !== null);
  const open = set.filter(({ name }) => attributeOf(value, name) === unknown);
  const known = set.filter((choice) => !open.includes(choice)); // an unknown one may turn out to be null
  if (open.length > 0) findings.unknowns.push({ pointer });
  const [first, second] = known;
  if (second !== undefined) {
    findings.diagnostics.push(
      onlyOne(
        [...path, second.name],
        known.map(({ name }) => name),
      ),
    );
  } else if (first === undefined && open.length === 0) {
    const names = choices.map(({ name }) => name).join(', ');
    findings.diagnostics.push(problem(path, 'has no value', `Set the one that belongs to the ${by}: ${names}.`));
  }
  return first === undefined
    ? undefined
    : jsonOf(first.form, attributeOf(value, first.name), { path: [...path, first.name], pointer }, findings);
}

function leafOf(form: LeafForm, value: Value, { path }: Place, findings: ConversionFindings): JsonValue | undefined {
  if (form.is === 'json') return jsonText(value, path, findings);
  if (typeof value === 'bigint') {
    findings.diagnostics.push(problem(path, 'is too large', 'Use a number below 9007199254740992.'));
    return undefined;
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : wrongType(path, findings);
}

function jsonText(value: Value, path: AttributePath, findings: ConversionFindings): JsonValue | undefined {
  if (value === null || value === unknown) return undefined;
  if (typeof value !== 'string') return wrongType(path, findings);
  try {
    const json: JsonValue = JSON.parse(value);
    return json;
  } catch {
    findings.diagnostics.push(problem(path, 'is no JSON', 'Write jsonencode(…) around the value.'));
    return undefined;
  }
}

function wrongType(path: AttributePath, findings: ConversionFindings): undefined {
  findings.diagnostics.push(problem(path, 'has the wrong type', 'See the documentation of the resource.'));
}

function onlyOne(path: AttributePath, names: readonly string[]): Diagnostic {
  return problem(path, `cannot be set: of ${inWords(names, 'and')} only one may be`, 'Remove the others.');
}

function problem(path: AttributePath, what: string, fix: string): Diagnostic {
  return { severity: 'error', summary: `${pathText(path)} ${what}`, detail: fix, path };
}

/** Such as `spec.containers[0].env`, in Terraform's form. */
export function pathText(path: AttributePath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (!/^[A-Za-z_]\w*$/.test(step)) return `${text}[${quoted(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

/** A block of write-only values in a plan and a state: the block exists, without its values. */
export function withoutValues(form: Form | undefined, block: Value): Value {
  if (block === unknown && form !== undefined) return unknown;
  if (!isObjectValue(block)) return null;
  const inside = form?.is === 'object' ? form.members : form?.is === 'choice' ? form.choices : undefined;
  if (inside === undefined) return null;
  return Object.fromEntries(
    inside.map((each) => {
      const value = attributeOf(block, each.name);
      return [each.name, isBlockForm(each.form) ? withoutValues(each.form, value) : null];
    }),
  );
}

/** Whether it has no value, as in a plan and in a state. */
export function isEmptyBlock(block: Value): boolean {
  return block === null || (isObjectValue(block) && Object.values(block).every(isEmptyBlock));
}
