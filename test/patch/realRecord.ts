import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { isArray, isObject, type JsonObject, type JsonValue, own, put } from '../../src/base/json/json.ts';
import { secretTypes } from '../../src/kinds/secret/fields.ts';
import { definitionOf, variantsOf } from '../../src/kinds/shapeOf.ts';
import { factsKeyword } from '../../src/schema/facts/define.ts';
import type { FieldFacts, LinkFact } from '../../src/schema/facts/fieldFacts.ts';
import { creatableKinds, isGvcScoped, type KnownKind } from '../../src/schema/record/kinds.ts';
import { itemKey } from '../../src/schema/shape/listKey.ts';

export const context = { org: 'acme', gvc: 'shop' };

/** Texts for every pattern and for none: a field gets those that it accepts. */
const texts = [
  '',
  'a',
  'b2c',
  'web',
  '/',
  '/data',
  '/data/a',
  '24h',
  '7d',
  '10s',
  '25%',
  '10.0.0.1',
  '10.0.0.1/32',
  '0.0.0.0/0',
  '2001:db8::1',
  'A.Example.com',
  'a.example.com',
  '*.example.com',
  'scheme://secret/s.k',
  'scheme://volumeset/data',
  'scheme://volumeset/logs',
  'roles/viewer',
  'x@p.iam.gserviceaccount.com',
  'projects/p/regions/r/serviceAttachments/s',
  'arn:aws:iam::1:role/r',
  '{"a":1}',
  '{ "a": 1 }',
  'é',
  ' trimmed ',
];

/** Records of one kind as people write them: any declared field, with varying texts, links and quantities. */
export function recordsOf(kind: KnownKind, variant?: string): fc.Arbitrary<JsonObject> {
  const made = valueIn(definitionOf(kind)).filter(isObject);
  const by = variantsOf(kind);
  const definition = variant === undefined ? undefined : by?.definitions[variant];
  if (by === undefined || variant === undefined || definition === undefined) return made.map(named);
  return fc
    .tuple(made, valueIn(definition))
    .map(([record, data]) => named({ ...record, [by.by]: variant, [by.field]: data }));
}

/** The same resource in each record. */
function named(record: JsonObject): JsonObject {
  return { ...record, name: 'web' };
}

function valueIn(node: TSchema): fc.Arbitrary<JsonValue> {
  const facts = factsOf(node);
  const allowed = keyword(node, 'enum');
  if (isList(allowed)) return fc.constantFrom(...allowed.filter((value) => typeof value === 'string'));
  if (keyword(node, 'properties') !== undefined) return objectOf(node);
  switch (keyword(node, 'type')) {
    case 'object':
      return mapOf(node);
    case 'array':
      return listOf(node, facts);
    case 'boolean':
      return fc.boolean();
    case 'string':
      return textOf(node, facts);
    case 'integer':
    case 'number':
      return numberOf(node, facts);
    case undefined:
      return anything;
    default:
      return facts.quantity === undefined ? fc.constantFrom('a', '1', 1, true) : textOf(node, facts);
  }
}

const anything: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>('x', 1, true, '{}'),
  fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('a', 'b.c', 'constructor'), fc.constantFrom<JsonValue>(1, 'x', [], {}), { maxKeys: 2 }),
);

function objectOf(node: TSchema): fc.Arbitrary<JsonValue> {
  const required = keyword(node, 'required');
  const fields = Object.entries(keyword(node, 'properties') ?? {}).filter(
    (entry): entry is [string, TSchema] => factsOf(entry[1]).responseOnly !== true,
  );
  const needed = fields.filter(([name]) => isList(required) && required.includes(name));
  const others = fields.filter(([name]) => !needed.some(([other]) => other === name));
  return fc
    .subarray(others, { maxLength: Math.min(others.length, 4) })
    .chain((chosen) =>
      fc.record(Object.fromEntries([...needed, ...chosen].map(([name, child]) => [name, later(child)]))),
    );
}

/** Definitions are deep, so a field is only generated when it was chosen. */
function later(node: TSchema): fc.Arbitrary<JsonValue> {
  return fc.constant(node).chain(valueIn);
}

function mapOf(node: TSchema): fc.Arbitrary<JsonValue> {
  const value = keyword(node, 'additionalProperties');
  if (typeof value !== 'object' || value === null) return anything.map((made) => (isObject(made) ? made : {}));
  return fc.dictionary(fc.constantFrom('a', 'b.c', 'constructor', 'aws-eu'), later(value), { minKeys: 1, maxKeys: 3 });
}

function listOf(node: TSchema, facts: FieldFacts): fc.Arbitrary<JsonValue> {
  const items = keyword(node, 'items');
  const minLength = Number(keyword(node, 'minItems') ?? 0);
  const item = typeof items === 'object' && items !== null ? later(items) : anything;
  const { list } = facts;
  if (list?.class !== 'keyed') return fc.array(item, { minLength, maxLength: 4 });
  return fc.uniqueArray(item, {
    minLength,
    maxLength: 4,
    selector: (made) => (isObject(made) ? (itemKey(list.key, made) ?? '') : ''),
  });
}

function textOf(node: TSchema, facts: FieldFacts): fc.Arbitrary<JsonValue> {
  if (facts.link !== undefined) return fc.constantFrom(...linksTo(facts.link));
  if (facts.quantity === 'cpu') return fc.constantFrom('100m', '0.1', '1', '1000m', '50m');
  if (facts.quantity === 'memory') return fc.constantFrom('128Mi', '1Gi', '1024Mi', '1G');
  if (facts.canonical === 'image') {
    return fc.constantFrom('nginx', '//image/a:1', '/org/acme/image/a:1', 'example.com/x:2');
  }
  const pattern = new RegExp(String(keyword(node, 'pattern') ?? ''));
  const fitting = texts.filter((text) => pattern.test(text) && text.length >= Number(keyword(node, 'minLength') ?? 0));
  return fc.constantFrom(...(fitting.length === 0 ? ['a'] : fitting));
}

function linksTo({ to, inOwnGvc, orName }: LinkFact): readonly string[] {
  return to.slice(0, 2).flatMap((kind) =>
    ['a', 'b'].flatMap((name) => {
      const path = isGvcScoped(kind) ? `gvc/shop/${kind}/${name}` : `${kind}/${name}`;
      return [
        `//${path}`,
        `/org/acme/${path}`,
        ...(inOwnGvc === true ? [`//${kind}/${name}`] : []),
        ...(orName === true ? [name] : []),
      ];
    }),
  );
}

function numberOf(node: TSchema, facts: FieldFacts): fc.Arbitrary<JsonValue> {
  const least = Number(keyword(node, 'minimum') ?? -1);
  const most = Number(keyword(node, 'maximum') ?? 65_535);
  const known = typeof facts.default === 'number' ? [facts.default] : [];
  const wanted = [least, least + 1, 80, 95, 443, ...known].filter((value) => value >= least && value <= most);
  return fc.constantFrom(...wanted);
}

/** A mixture of two records: each member and each list item from one or the other. */
export function mixed(a: JsonValue, b: JsonValue): fc.Arbitrary<JsonValue> {
  if (isObject(a) && isObject(b)) {
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    const members = names.map((name) => {
      const [left, right] = [own(a, name), own(b, name)];
      if (left === undefined || right === undefined) {
        const only = left ?? right;
        return fc.constantFrom(only, name === 'name' ? only : undefined);
      }
      return mixed(left, right);
    });
    return fc.tuple(...members).map((values) => {
      const made: Record<string, JsonValue> = {};
      for (const [index, name] of names.entries()) {
        const value = values[index];
        if (value !== undefined) put(made, name, value);
      }
      return made;
    });
  }
  if (isArray(a) && isArray(b)) {
    const all = [...a, ...b].filter((item, index, list) => isFirst(item, index, list));
    return fc.oneof(fc.constantFrom<JsonValue>(a, b), fc.shuffledSubarray(all, { minLength: Math.min(1, all.length) }));
  }
  return fc.constantFrom(a, b);
}

/** Only the first of items with the same name, path, number or text: most lists would otherwise be ambiguous. */
function isFirst(item: JsonValue, index: number, list: readonly JsonValue[]): boolean {
  const key = (value: JsonValue): string =>
    isObject(value)
      ? JSON.stringify(
          ['name', 'path', 'number', 'prefix', 'regex', 'key', 'location'].map((field) => own(value, field)),
        )
      : JSON.stringify(value);
  return list.findIndex((other) => key(other) === key(item)) === index;
}

function keyword(node: TSchema, name: string): unknown {
  return Reflect.get(node, name);
}

function factsOf(node: TSchema): FieldFacts {
  const facts: FieldFacts | undefined = Reflect.get(node, factsKeyword);
  return facts ?? {};
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** The kind of the records, for a secret with its type. */
export interface Subject {
  readonly kind: KnownKind;
  /** For a secret; otherwise empty. */
  readonly type: string;
}

export const subjects: readonly Subject[] = [
  ...creatableKinds.filter((kind) => kind !== 'secret').map((kind) => ({ kind, type: '' })),
  ...secretTypes.map((type) => ({ kind: 'secret' as const, type })),
];
