import { isObject, type JsonObject, numberAt, objectAt } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import { factsKeyword } from '../schema/facts/define.ts';
import type { FieldFacts } from '../schema/facts/fieldFacts.ts';
import { workloadTypes } from '../schema/facts/workloadTypes.ts';
import type { KnownKind } from '../schema/record/kinds.ts';
import { allTypes } from './allTypes.ts';
import type { FieldWords } from './common/words.ts';
import { sheets } from './list.ts';
import { secretData } from './secret/fields.ts';
import { secretDataTypes, secretDataWords } from './secret/published.ts';
import { definitionOf } from './shapeOf.ts';

/** Fields of several kinds. A type may override their descriptions. */
const recordFields: Readonly<Record<string, string>> = {
  name: 'Name on the platform, unique among the records of its kind in the org or the GVC. It cannot be changed.',
  description: 'Text for people, without white space at either end. The name, when omitted.',
  tags:
    'Free-form keys and values, for queries and for people. Values are compared as text. Keys below `gantry/` are ' +
    'reserved.',
  id: 'Identifier chosen by the platform, unique for all time.',
  kind: 'Kind of the record.',
  version: 'Counter of changes. A write that carries another version than the stored one is refused with 409.',
  created: 'Time of creation, in ISO 8601.',
  lastModified: 'Time of the last change, in ISO 8601.',
  links: 'Addresses of the record itself and of the records around it.',
  origin: 'Who created the record: `builtin` for the platform, `default` for a client.',
  status: 'State of the record as the platform reports it.',
  gvc: 'Name of the GVC that the record is in.',
  spec: 'Settings of the record.',
};

/** A field of a kind: its definition and description. */
export interface DescribedField {
  /** Dotted; list items and map values are `*`. */
  readonly path: string;
  readonly name: string;
  readonly node: JsonObject;
  readonly facts: FieldFacts;
  readonly required: boolean;
  /** The named type that has the field. */
  readonly owner: string;
  /** Absent if it has no description. */
  readonly words?: FieldWords;
  /** The section of docs/platform that it belongs to. */
  readonly section: string;
}

/** The words of a named type's field; for a record's field, the words shared by all records. */
export function wordsOf(type: string, field: string): FieldWords | undefined {
  const fields = allTypes[type]?.fields ?? {};
  const said = Object.hasOwn(fields, field) ? fields[field] : shared(type, field);
  return typeof said === 'string' ? { words: said } : said;
}

const records: ReadonlySet<string> = new Set(Object.values(sheets).map(({ typeName }) => typeName));
/** Options for a location are the default options plus the location. */
const basedOn: Readonly<Record<string, string>> = { LocalWorkloadOptions: 'WorkloadOptions' };

function shared(type: string, field: string): string | FieldWords | undefined {
  if (records.has(type) && Object.hasOwn(recordFields, field)) return recordFields[field];
  const base = basedOn[type];
  return base === undefined ? undefined : wordsOf(base, field);
}

/** All fields of a record of the kind, in definition order. */
export function describedFields(kind: KnownKind): readonly DescribedField[] {
  return fieldsOf(definitionToJson(definitionOf(kind)), sheets[kind].typeName, '');
}

/** The data fields of one type of secret; none if the data is one text, or a map of texts. */
export function describedSecretData(type: string): readonly DescribedField[] {
  const owner = Object.entries(secretDataTypes).find(([name]) => name === type)?.[1];
  const definition = Object.entries(secretData).find(([name]) => name === type)?.[1];
  return owner === undefined || definition === undefined ? [] : fieldsOf(definitionToJson(definition), owner, '');
}

/** The fields of an object of a named type, including nested ones. */
function fieldsOf(node: JsonObject, owner: string, path: string): readonly DescribedField[] {
  return ownFieldsOf(node, owner, path).flatMap((field) => [field, ...fieldsBelow(field)]);
}

/** The fields of an object of a named type, without nested ones. */
export function ownFieldsOf(node: JsonObject, owner: string, path: string): readonly DescribedField[] {
  const required = node['required'];
  return Object.entries(objectAt(node, 'properties')).flatMap(([name, child]) => {
    if (!isObject(child)) return [];
    const words = wordsOf(owner, name);
    return [
      {
        path: path === '' ? name : `${path}.${name}`,
        name,
        node: child,
        facts: objectAt(child, factsKeyword),
        required: Array.isArray(required) && required.includes(name),
        owner,
        ...present({ words }),
        section: words?.section ?? allTypes[owner]?.section ?? '',
      },
    ];
  });
}

function fieldsBelow({ node, path, words }: DescribedField): readonly DescribedField[] {
  const inner = innermost(node, path);
  return fieldsOf(inner.node, words?.type ?? '', inner.path);
}

/** The innermost item or value of nested lists and maps. */
export function innermost(node: JsonObject, path: string): { readonly node: JsonObject; readonly path: string } {
  for (const keyword of ['items', 'additionalProperties']) {
    const inner = node[keyword];
    if (isObject(inner)) return innermost(inner, `${path}.*`);
  }
  return { node, path };
}

/** Converts a definition to JSON. */
export function definitionToJson(node: object): JsonObject {
  const value: unknown = JSON.parse(JSON.stringify(node));
  return isObject(value) ? value : {};
}

/** The field descriptions of a kind, by path; list items and map values are `*`. */
export function descriptionsOf(kind: KnownKind): ReadonlyMap<string, string> {
  return new Map(describedFields(kind).map(({ path, words }) => [path, descriptionOf(words)]));
}

/** The data descriptions of a type of secret; the empty path describes the data itself. */
export function descriptionsOfSecretData(type: string): ReadonlyMap<string, string> {
  return new Map([
    ['', secretDataWords[type] ?? ''],
    ...describedSecretData(type).map(({ path, words }) => [path, descriptionOf(words)] as const),
  ]);
}

/** The words of a field, with the workload types that have it. */
export function descriptionOf(words: FieldWords | undefined): string {
  if (words === undefined) return '';
  const { only, deprecated } = words;
  const text = deprecated === true ? `Deprecated: ${words.words}` : words.words;
  return only === undefined ? text : `${text} ${onlyFor(only)}`;
}

/** Marks the only type that is not in the specification. */
function markedType(type: string): string {
  return type === 'vm' ? 'vm, an extension' : type;
}

function onlyFor(types: readonly string[]): string {
  const missing = workloadTypes.filter((type) => !types.includes(type));
  return missing.length < types.length
    ? `Not for ${missing.join(' or ')}.`
    : `Only for ${types.map(markedType).join(' and ')}.`;
}

/** The bounds of a value, as sentences: `1 to 65535.`, `At most 20 items.`; empty without bounds. */
export function boundsOf(node: JsonObject): string {
  const [least, most] = [numberAt(node, 'minimum'), numberAt(node, 'maximum')];
  const [fewest, items] = [numberAt(node, 'minItems'), numberAt(node, 'maxItems')];
  const [shortest, longest] = [numberAt(node, 'minLength'), numberAt(node, 'maxLength')];
  return [
    range(least, most, ''),
    range(fewest, items, ' items'),
    // A quantity is short anyway, so its length limit is not useful.
    Array.isArray(node['type']) ? '' : range(shortest === 1 ? undefined : shortest, longest, ' characters'),
  ]
    .filter((text) => text !== '')
    .join(' ');
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}.`;
  if (least !== undefined) return `At least ${least}${least === 1 ? unit.replace(/s$/, '') : unit}.`;
  return most === undefined ? '' : `At most ${most}${unit}.`;
}
