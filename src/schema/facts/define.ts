import type {
  Static,
  TArray,
  TBoolean,
  TInteger,
  TNumber,
  TObject,
  TOptional,
  TProperties,
  TSchema,
  TString,
  TUnsafe,
} from 'typebox';
import type { JsonObject, JsonValue } from '../../base/json/json.ts';
import { nonEmpty, present } from '../../base/json/present.ts';
import { patterns } from '../../base/text/patterns.ts';
import type { Kind } from '../record/kinds.ts';
import type { Answer, FieldFacts, LinkFact, ListKey, ReferenceStrength } from './fieldFacts.ts';

/** The keyword of a TypeBox node for its `FieldFacts`. It is removed from published schemas. */
export const factsKeyword = 'x-gantry';

/** JSON Schema keywords of one node (bounds, pattern). */
type Keywords = Readonly<Record<string, unknown>>;

function marked(keywords: Keywords, facts: FieldFacts): Record<string, unknown> {
  return { ...keywords, [factsKeyword]: facts };
}

/**
 * TypeBox gives only the types. We write its nodes, which are plain JSON Schema, ourselves: loading it takes 68 ms at
 * each start from source and 10 ms bundled. A test compares both results.
 */
function node<Node extends TSchema>(schema: object): Node {
  return schema as Node; // only a test can check the type that the caller states
}

const optionalNodes = new WeakSet<object>();

/** Makes a field optional. */
export function optional<Node extends TSchema>(schema: Node): TOptional<Node> {
  const copy = { ...schema };
  optionalNodes.add(copy);
  return node<TOptional<Node>>(copy);
}

// --- facts -----------------------------------------------------------------------------------------------------

/** Omitting the field means this value; the platform does not store it by itself. */
export function constant(value: JsonValue): FieldFacts {
  return { fill: 'constant', default: value };
}

/** Omitting the field means this value, and the platform stores it (platform/concepts.filled). */
export function stored(value: JsonValue): FieldFacts {
  return { fill: 'constant', default: value, stored: true };
}

/** Omitting the field means the value that the function in `normalise.ts` computes, and the platform stores it. */
export function derived(derive: string): FieldFacts {
  return { fill: 'derived', derive, stored: true };
}

/** Chosen by the platform: unmanaged while omitted. */
export const service: FieldFacts = { fill: 'service' };

/** Switched by operators. */
export function operational(value: JsonValue): FieldFacts {
  return { fill: 'operational', default: value };
}

// --- nodes -----------------------------------------------------------------------------------------------------

export function text(facts: FieldFacts = {}, keywords: Keywords = {}) {
  return node<TString>({ type: 'string', ...marked(keywords, facts) });
}

export function integer(facts: FieldFacts = {}, keywords: Keywords = {}) {
  return node<TInteger>({ type: 'integer', ...marked(keywords, facts) });
}

export function decimal(facts: FieldFacts = {}, keywords: Keywords = {}) {
  return node<TNumber>({ type: 'number', ...marked(keywords, facts) });
}

export function flag(facts: FieldFacts = {}) {
  return node<TBoolean>({ type: 'boolean', ...marked({}, facts) });
}

export function oneOf<const Values extends readonly string[]>(values: Values, facts: FieldFacts = {}) {
  return node<TUnsafe<Values[number]>>({ type: 'string', enum: [...values], ...marked({}, facts) });
}

/** One of these names, or an object with undocumented members. */
export function nameOrObject<const Values extends readonly string[]>(values: Values) {
  return node<TUnsafe<Values[number] | JsonObject>>({
    type: ['string', 'object'],
    if: { type: 'string' },
    then: { enum: [...values] },
  });
}

/** Text, number or boolean, unconverted (query values). */
export function scalar(facts: FieldFacts = {}) {
  return node<TUnsafe<string | number | boolean>>({ type: ['string', 'number', 'boolean'], ...marked({}, facts) });
}

/** A scalar that is compared as text (metadata of triggers, platform/concepts.rewritten). */
export function textLike() {
  return scalar({ asText: true });
}

/** A tag value: every JSON scalar, compared as text (platform/concepts.tags). */
export function tagValue() {
  return node<TUnsafe<string | number | boolean | null>>({
    type: ['string', 'number', 'boolean', 'null'],
    ...marked({}, { asText: true }),
  });
}

export function quantity(of: 'cpu' | 'memory', facts: FieldFacts = {}) {
  return node<TUnsafe<string | number>>({
    type: ['string', 'number'],
    pattern: patterns.quantity.pattern,
    maxLength: 20,
    ...marked({}, { ...facts, quantity: of }),
  });
}

/** A link to one of these kinds. `options`: the short forms of platform/concepts.links, and other facts. */
export function link(
  to: readonly Kind[],
  strength: ReferenceStrength,
  options: Pick<LinkFact, 'inOwnGvc' | 'mayBeMissing' | 'needed' | 'orName'> = {},
  facts: FieldFacts = {},
) {
  const fact: LinkFact = { to, strength, ...options };
  const pattern = options.orName === true ? patterns.linkOrName.pattern : patterns.link.pattern;
  return node<TString>({
    type: 'string',
    ...marked({ pattern }, { ...facts, link: fact }),
  });
}

/** A list of plain values in no particular order. */
export function set<Item extends TSchema>(item: Item, facts: FieldFacts = {}, keywords: Keywords = {}) {
  return node<TArray<Item>>({ type: 'array', items: item, ...marked(keywords, { ...facts, list: { class: 'set' } }) });
}

/** A list whose order has a meaning. */
export function sequence<Item extends TSchema>(item: Item, facts: FieldFacts = {}, keywords: Keywords = {}) {
  return node<TArray<Item>>({
    type: 'array',
    items: item,
    ...marked(keywords, { ...facts, list: { class: 'sequence' } }),
  });
}

/** A list of items identified by a key. */
export function keyed<Item extends TSchema>(
  item: Item,
  key: ListKey,
  facts: FieldFacts & { readonly sequenceIfAny?: readonly string[]; readonly firstWith?: readonly string[] } = {},
  keywords: Keywords = {},
) {
  const { sequenceIfAny, firstWith, ...rest } = facts;
  const list = {
    class: 'keyed' as const,
    key,
    ...present({ sequenceIfAny, firstWith }),
  };
  return node<TArray<Item>>({ type: 'array', items: item, ...marked(keywords, { ...rest, list }) });
}

/** A key of one or more fields, defined by us (platform/patch.list-keys). */
export function proposedKey(...fields: readonly string[]): ListKey {
  return { parts: fields.map((field) => ({ fields: [field] })), evidence: 'proposed' };
}

/** A key that public clients rely on. */
export function statedKey(field: string): ListKey {
  return { parts: [{ fields: [field] }], evidence: 'stated' };
}

function objectNode<Properties extends TProperties>(properties: Properties, keywords: Keywords): TObject<Properties> {
  const required = Object.keys(properties).filter((name) => !optionalNodes.has(properties[name] ?? {}));
  return node<TObject<Properties>>({
    type: 'object',
    ...nonEmpty({ required }),
    properties,
    ...keywords,
  });
}

/** An object with only the declared fields. */
export function fields<Properties extends TProperties>(properties: Properties, facts: FieldFacts = {}) {
  return objectNode(properties, { additionalProperties: false, ...marked({}, facts) });
}

/** An object with declared fields; others pass through (below the lists of `sidecar.proxy`). */
export function openFields<Properties extends TProperties>(properties: Properties, facts: FieldFacts = {}) {
  return objectNode(properties, { additionalProperties: true, ...marked({}, facts) });
}

/** An object with keys chosen by users. */
export function map<Value extends TSchema>(value: Value, facts: FieldFacts = {}, keywords: Keywords = {}) {
  return node<TUnsafe<{ readonly [key: string]: Static<Value> }>>({
    type: 'object',
    additionalProperties: value,
    ...marked(keywords, facts),
  });
}

/** Free-form JSON: nothing in it is coerced, defaulted or re-ordered. */
export function free(facts: FieldFacts = {}) {
  return node<TUnsafe<JsonValue>>(marked({}, facts));
}

/** A value whose definition depends on another field (`variants` of a kind's sheet). */
export function anyOf<Value>(facts: FieldFacts) {
  return node<TUnsafe<Value>>(marked({}, facts));
}

export function freeObject(facts: FieldFacts = {}) {
  return node<TUnsafe<JsonObject>>({ type: 'object', ...marked({}, facts) });
}

/** Set by the platform: accepted in a request, but ignored (platform/wire.writes). */
export function responseOnly(answer?: Answer) {
  return optional(free({ responseOnly: true, ...present({ answer }) }));
}
