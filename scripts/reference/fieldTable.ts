import { isObject, type JsonObject, objectAt } from '../../src/base/json/json.ts';
import { envelope } from '../../src/kinds/common/fields.ts';
import { definitionToJson, descriptionsOf, descriptionsOfSecretData } from '../../src/kinds/describedFields.ts';
import { manifestSchema } from '../../src/kinds/jsonSchema.ts';
import { secretData } from '../../src/kinds/secret/fields.ts';
import { definitionOf } from '../../src/kinds/shapeOf.ts';
import { policySettingsSchema } from '../../src/policies/rules/policySettings.ts';
import { starter } from '../../src/policies/rules/starter.ts';
import { settingsSchema } from '../../src/project/settings/settingsFile.ts';
import { stackEvents } from '../../src/reconcile/model.ts';
import { reconcileSchema } from '../../src/reconcile/sources/reconcileForm.ts';
import { factsKeyword } from '../../src/schema/facts/define.ts';
import type { FieldFacts } from '../../src/schema/facts/fieldFacts.ts';
import type { KnownKind } from '../../src/schema/record/kinds.ts';
import { exitCode, exitMeanings, retryOf } from '../../src/terminal/exitCode.ts';

/** One field of a kind: a node of its JSON Schema and further facts. */
export interface Field {
  readonly path: string;
  readonly node: JsonObject;
  readonly facts: FieldFacts;
  readonly required: boolean;
}

/** Shapes that occur in several places, and the page that describes them. */
const elsewhere: ReadonlyMap<string, string> = new Map([['sidecar.proxy', 'see [proxy](../proxy.md)']]);

/** Every field below a node, in the order of the schema: `spec.containers[].ports[].number`, `tags.*`. */
function fieldsBelow(node: JsonObject, path: string): readonly Field[] {
  const required = Array.isArray(node['required']) ? node['required'] : [];
  return Object.entries(objectAt(node, 'properties')).flatMap(([name, child]) =>
    isObject(child) ? withBelow(child, path === '' ? name : `${path}.${name}`, required.includes(name)) : [],
  );
}

function withBelow(node: JsonObject, path: string, required: boolean): readonly Field[] {
  const field = { path, node, facts: factsOf(node), required };
  if ([...elsewhere.keys()].some((end) => path.endsWith(end))) return [field];
  return [field, ...inside(node, path)];
}

function inside(node: JsonObject, path: string): readonly Field[] {
  const items = objectAt(node, 'items');
  if (Object.keys(items).length > 0) return inside(items, `${path}[]`);
  const values = objectAt(node, 'additionalProperties');
  if (Object.keys(values).length > 0) return inside(values, `${path}.*`);
  return fieldsBelow(node, path);
}

export function fieldTable(kind: KnownKind): string {
  const own = fieldsBelow(definitionToJson(definitionOf(kind)), '').filter(
    ({ path }) => !Object.hasOwn(envelope, firstOf(path)),
  );
  return tableOf(own, descriptionsOf(kind));
}

/** The fields of every record; the definition of a GVC has all of them. */
export function commonFieldTable(): string {
  const common = fieldsBelow(definitionToJson(definitionOf('gvc')), '').filter(({ path }) =>
    Object.hasOwn(envelope, firstOf(path)),
  );
  return tableOf(common, descriptionsOf('gvc'));
}

export function proxyTable(): string {
  const proxy = fieldsOf(definitionToJson(definitionOf('workload')), ['spec', 'sidecar', 'proxy']);
  const at = 'spec.sidecar.proxy.';
  const words = [...descriptionsOf('workload')].filter(([path]) => path.startsWith(at));
  return tableOf(fieldsBelow(proxy, ''), new Map(words.map(([path, text]) => [path.slice(at.length), text])));
}

/** The data of a secret, by its type. */
export function secretTable(): string {
  return table(
    ['Type', 'Field', 'Values', 'Default', 'Properties', 'Meaning'],
    Object.entries(secretData).flatMap(([type, definition]) => {
      const node = definitionToJson(definition);
      const itself: Field = { path: '', node, facts: factsOf(node), required: true };
      const fields = fieldsBelow(node, '');
      const words = descriptionsOfSecretData(type);
      return (fields.length === 0 ? [itself] : fields).map((field) => [
        code(type),
        field.path === '' ? '(the data itself)' : code(field.path),
        ...aboutField(field),
        meaningOf(field, words),
      ]);
    }),
  );
}

function tableOf(fields: readonly Field[], docs: ReadonlyMap<string, string>): string {
  if (fields.length === 0) return 'None beside those that every record has.';
  const shown = withoutRepetitions(fields);
  return table(
    ['Field', 'Values', 'Default', 'Properties', 'Meaning'],
    shown.map(({ field, as }) => [
      code(field.path),
      ...(as === undefined ? aboutField(field) : [`as ${code(as)}`, '', propertiesOf(field)]),
      meaningOf(field, docs),
    ]),
  );
}

function aboutField(field: Field): readonly string[] {
  return [typeText(field.node, field.facts), defaultText(field.facts), propertiesOf(field)];
}

/** Replaces a repeated shape of several fields by its name. */
function withoutRepetitions(fields: readonly Field[]): readonly { readonly field: Field; readonly as?: string }[] {
  const seen = new Map<string, string>();
  const hidden: string[] = [];
  return fields.flatMap((field) => {
    if (hidden.some((path) => field.path.startsWith(path))) return [];
    const shape = JSON.stringify(shapeIn(field.node));
    if (inside(field.node, '').length < 4) return [{ field }];
    const as = seen.get(shape);
    if (as === undefined) {
      seen.set(shape, field.path);
      return [{ field }];
    }
    hidden.push(`${field.path}.`, `${field.path}[`);
    return [{ field, as }];
  });
}

/** The shape of a field, apart from its own default. */
function shapeIn(node: JsonObject): unknown {
  return inside(node, '').map(({ path, node: rest }) => [path, rest]);
}

/** The meaning of omitting a field. */
export function defaultText(facts: FieldFacts): string {
  if (facts.derive !== undefined) return 'derived';
  if (facts.fill === 'service' && facts.default === undefined) return 'chosen by the platform';
  return facts.default === undefined ? '' : code(JSON.stringify(facts.default));
}

/** Required, immutable, the key of a list, …. */
export function propertiesOf({ facts, required }: Field): string {
  const { list } = facts;
  const words = [
    required && 'required',
    facts.immutable && 'immutable',
    facts.sensitive && 'sensitive',
    facts.responseOnly && 'response only',
    facts.fill === 'operational' && 'operational',
    facts.fill === 'irremovable' && 'comes back',
    list?.class === 'keyed' && `key ${keyText(list.key)}`,
    list?.class === 'set' && 'set',
    list?.class === 'sequence' && 'ordered',
    facts.link?.strength === 'second-step' && 'second step',
  ];
  return words.filter((word) => typeof word === 'string').join(', ');
}

/** `name`, or `protocol+number`, or `prefix or regex+hostPrefix or hostRegex`. */
export function keyText(key: { readonly parts: readonly { readonly fields: readonly string[] }[] }): string {
  return key.parts.map(({ fields }) => fields.map(code).join(' or ')).join(' + ');
}

function meaningOf({ path }: Field, docs: ReadonlyMap<string, string>): string {
  const end = [...elsewhere.keys()].find((name) => path.endsWith(name));
  return (end === undefined ? undefined : elsewhere.get(end)) ?? docs.get(path.replaceAll('[]', '.*')) ?? '';
}

function firstOf(path: string): string {
  return path.split(/[.[]/)[0] ?? '';
}

function factsOf(node: JsonObject): FieldFacts {
  return objectAt(node, factsKeyword);
}

function fieldsOf(node: JsonObject, path: readonly string[]): JsonObject {
  return path.reduce((at, name) => objectAt(objectAt(at, 'properties'), name), node);
}

/** The allowed values of a field, in words: `integer, 1 to 100`, `link to secret`, `list of text`. */
export function typeText(node: JsonObject, facts: FieldFacts): string {
  const { type } = node;
  if (facts.responseOnly === true) return '';
  if (Array.isArray(node['enum'])) {
    const named = (value: string): string =>
      `${code(value)}${facts.extensions?.includes(value) ? ' (an extension)' : ''}`;
    return node['enum'].map((value) => named(String(value))).join(', ');
  }
  if (facts.link !== undefined) return `link to ${facts.link.to.join(' or ')}`;
  if (facts.quantity !== undefined) return `${facts.quantity} quantity`;
  if (type === 'array') return listText(node);
  if (type === 'object') return isObject(node['additionalProperties']) ? 'map' : 'object';
  if (type === 'integer' || type === 'number') return `${type}${bounds(node)}`;
  if (type === 'string') return `text${lengths(node)}`;
  if (type === 'boolean') return 'boolean';
  return Array.isArray(type) ? type.join(', ').replace('string', 'text') : 'any JSON';
}

function listText(node: JsonObject): string {
  const item = objectAt(node, 'items');
  const most = node['maxItems'] === undefined ? '' : `, at most ${String(node['maxItems'])}`;
  return `list of ${typeText(item, factsOf(item)).replace(/^object$/, 'objects')}${most}`;
}

function bounds({ minimum, maximum }: JsonObject): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${String(minimum)} to ${String(maximum)}`;
  if (minimum !== undefined) return `, at least ${String(minimum)}`;
  return maximum === undefined ? '' : `, at most ${String(maximum)}`;
}

function lengths({ maxLength }: JsonObject): string {
  return maxLength === undefined ? '' : `, up to ${String(maxLength)} characters`;
}

/** A table in GitHub's notation, padded like the formatter does; cells may contain anything except line breaks. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((cells) => cells[column]?.length ?? 0)));
  const written = lines.map((cells) => padded(cells, widths));
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [...written.slice(0, 1), rule, ...written.slice(1)].join('\n');
}

function padded(cells: readonly string[], widths: readonly number[]): string {
  return `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
}

/** Turns the description of a command, in lower case and without a full stop, into a sentence. */
export function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

export function code(text: string): string {
  return `\`${text}\``;
}

const settings = settingsSchema(policySettingsSchema);

/** The objects that users write, each by its place in a schema. */
const written: Readonly<Record<string, JsonObject>> = {
  lifecycle: at(manifestSchema('gvc'), 'lifecycle'),
  kinds: inEach(at(settings, 'kinds')),
  limits: at(inEach(at(settings, 'environments')), 'limits'),
  rule: inEach(at(at(settings, 'policies'), 'rules')),
  stacks: inEach(at(reconcileSchema, 'stacks')),
  follow: at(reconcileSchema, 'follow'),
  repositories: inEach(at(reconcileSchema, 'repositories')),
  signIn: at(reconcileSchema, 'sign-in'),
};

/** User input inside of a description: options, objects, lists, paths. */
const asWritten = /--[a-z][\w-]*|\{[^}]*\}|\[[^\]]*\]|\bspec[.\w*]+\w|(?<= )\/org\/[\w/]+|(?<= )\*(?= )/g;

/** The members of such an object, each with its text in editors. */
export function memberTable(of: string): string {
  const schema = Object.hasOwn(written, of) ? written[of] : undefined;
  if (schema === undefined) throw new Error(`no object ${of} among ${Object.keys(written).join(', ')}`);
  return rowsOf(
    'Setting',
    Object.entries(member(schema, 'properties')).map(([name, inside]) => {
      const description = isObject(inside) ? inside['description'] : undefined;
      if (typeof description !== 'string') throw new Error(`${of}.${name} has no description`);
      return [name, description.replaceAll(asWritten, code('$&'))];
    }),
  );
}

export function exitCodeTable(): string {
  return table(
    ['Exit code', 'What it means', 'Worth a retry? (`retry`)'],
    Object.values(exitCode).map((exit) => [String(exit), exitMeanings[exit], code(retryOf('', exit))]),
  );
}

export const eventTable = (): string => rowsOf('Event', Object.entries(stackEvents));
export const starterTable = (): string =>
  rowsOf(
    'Policy',
    starter.map(({ id, about = '' }) => [id, about]),
  );

function rowsOf(head: string, rows: readonly (readonly [string, string])[]): string {
  return table(
    [head, 'What it says'],
    rows.map(([name, text]) => [code(name), text]),
  );
}

function at(schema: JsonObject, name: string): JsonObject {
  return member(member(schema, 'properties'), name);
}

/** The items of a list, or of an object with user-chosen names. */
function inEach(schema: JsonObject): JsonObject {
  const { items, patternProperties, additionalProperties } = schema;
  const each = [items, ...(isObject(patternProperties) ? Object.values(patternProperties) : []), additionalProperties];
  const found = each.find(isObject);
  if (found === undefined) throw new Error('neither a list nor a dictionary');
  return found;
}

function member(schema: JsonObject, name: string): JsonObject {
  const found = schema[name];
  if (!isObject(found)) throw new Error(`the schema has no ${name}`);
  return found;
}
