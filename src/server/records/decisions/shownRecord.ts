import {
  fieldIn,
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  mapMembers,
  objectAt,
  own,
  put,
} from '../../../base/json/json.ts';
import { jsonIn } from '../../../base/json/jsonText.ts';
import { ipv6Groups } from '../../../base/text/ipv6.ts';
import { cpuMillicores, memoryBytes } from '../../../base/text/quantity.ts';
import { equalValues } from '../../../kinds/equal.ts';
import { valueWhenOmitted } from '../../../kinds/normalise.ts';
import type { FieldFacts } from '../../../schema/facts/fieldFacts.ts';
import { publicDomain } from '../../../schema/facts/hostNames.ts';
import type { RecordContext } from '../../../schema/record/ref.ts';
import { effectiveList, holdsAny, shorthandsOf, writtenOut } from '../../../schema/shape/listKey.ts';
import type { ListShape, MapShape, ObjectShape, ScalarShape, Shape } from '../../../schema/shape/shape.ts';

export type Forms = ReadonlySet<AnswerForm>;

/** The record as an installation with these forms of responses shows it. Platform-owned fields are unchanged. */
export function shownRecord(shape: ObjectShape, record: JsonObject, context: RecordContext, forms: Forms): JsonObject {
  const shown = showObject(shape, record, [], { context, forms });
  if (!forms.has('tagged')) return shown;
  return { ...shown, tags: { ...objectAt(shown, 'tags'), ...tagsOfOthers } };
}

/** Tags that the service and other clients add (platform/concepts.tags). */
const tagsOfOthers: JsonObject = { 'scheme/deployTimestamp': '2026-01-01T00:00:00Z', 'other-tool/version': 1 };

interface ShowOptions {
  readonly context: RecordContext;
  readonly forms: Forms;
}

function show(shape: Shape, value: JsonValue, enclosing: readonly JsonObject[], options: ShowOptions): JsonValue {
  if (shape.facts.responseOnly === true) return value;
  switch (shape.type) {
    case 'object':
      return isObject(value) ? showObject(shape, value, enclosing, options) : value;
    case 'map':
      return isObject(value) ? showMap(shape, value, enclosing, options) : value;
    case 'list':
      return isArray(value) ? showList(shape, value, enclosing, options) : value;
    case 'scalar':
      return showScalar(shape, value, options, false);
    case 'free':
      return value;
  }
}

function showObject(
  shape: ObjectShape,
  object: JsonObject,
  enclosing: readonly JsonObject[],
  options: ShowOptions,
): JsonObject {
  const { forms } = options;
  const full = forms.has('filled') ? withDefaults(shape, object, enclosing) : object;
  const shown: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(full)) {
    const field = shape.fields.get(name);
    if (field === undefined) put(shown, name, value);
    else if (!forms.has('bare') || !isRedundant(field, value, [...enclosing, full], options)) {
      put(shown, name, show(field, value, [...enclosing, full], options));
    }
  }
  return forms.has('legacy') ? alternativeForm(shape, shown, options) : shown;
}

/** Whether omitting the value means the same. Values that the platform chose are always shown. */
function isRedundant(
  field: Shape,
  value: JsonValue,
  enclosing: readonly JsonObject[],
  { context }: ShowOptions,
): boolean {
  const { facts } = field;
  if (facts.responseOnly === true || facts.fill === 'service') return false;
  if (equalValues(field, value, undefined, context)) return true;
  const omitted = facts.fill === 'derived' ? valueWhenOmitted(facts, enclosing) : undefined;
  return omitted !== undefined && equalValues(field, value, omitted, context);
}

/** Fills scalars that were omitted inside a sent object with their defaults (platform/concepts.filled). */
function withDefaults(shape: ObjectShape, object: JsonObject, enclosing: readonly JsonObject[]): JsonObject {
  const full: Record<string, JsonValue> = { ...object };
  for (const [name, field] of shape.fields) {
    if (Object.hasOwn(full, name) || field.type !== 'scalar' || field.facts.fill === 'service') continue;
    const value = valueWhenOmitted(field.facts, [...enclosing, object]);
    if (value !== undefined) put(full, name, value);
  }
  return full;
}

function showMap(shape: MapShape, map: JsonObject, enclosing: readonly JsonObject[], options: ShowOptions): JsonObject {
  return mapMembers(map, (value) => show(shape.value, value, enclosing, options));
}

function showList(
  shape: ListShape,
  items: JsonArray,
  enclosing: readonly JsonObject[],
  options: ShowOptions,
): JsonArray {
  const asBlocks = shape.facts.canonical === 'cidrs';
  const shown = items.map((item) =>
    shape.item.type === 'scalar'
      ? showScalar(shape.item, item, options, asBlocks)
      : show(shape.item, item, enclosing, options),
  );
  return options.forms.has('shuffled') ? shuffled(shape, shown) : shown;
}

/** Reverses the items, except for one that must stay the first of its type. */
function shuffled(shape: ListShape, items: JsonArray): JsonArray {
  const list = effectiveList(shape, items, items);
  if (list.class === 'sequence' && shape.facts.byContent !== true) return items;
  const first =
    list.class === 'keyed' && list.firstWith !== undefined
      ? items.find((item) => holdsAny(item, list.firstWith ?? []))
      : undefined;
  return first === undefined ? items.toReversed() : [first, ...items.filter((item) => item !== first).toReversed()];
}

function showScalar(
  { facts }: ScalarShape,
  value: JsonValue,
  { context, forms }: ShowOptions,
  asBlocks: boolean,
): JsonValue {
  const spelled = forms.has('respelled') ? respelled(value, facts, asBlocks) : value;
  const own = `/org/${context.org}/`;
  const isShort =
    forms.has('short') && facts.link !== undefined && typeof spelled === 'string' && spelled.startsWith(own);
  return isShort ? `//${spelled.slice(own.length)}` : spelled;
}

/** Expands a shorthand, and shortens a list that has one. */
function alternativeForm(shape: ObjectShape, object: JsonObject, { context }: ShowOptions): JsonObject {
  const out = writtenOut(shape, object);
  if (out !== object) return out;
  let result = object;
  for (const { name, list, key } of shorthandsOf(shape)) {
    const field = shape.fields.get(list);
    const items = own(object, list);
    const [only] = isArray(items) ? items : [];
    const value = fieldIn(only, key);
    if (field === undefined || value === undefined) continue;
    if (!equalValues(field, items, [{ [key]: value }], context)) continue;
    const { [list]: _, ...rest } = result;
    result = { ...rest, [name]: value };
  }
  return result;
}

/** The same value in another notation. `asBlocks`: whether it is an item of a list of address blocks. */
function respelled(value: JsonValue, facts: FieldFacts, asBlocks: boolean): JsonValue {
  if (facts.asText === true && value !== null && typeof value !== 'object') return String(value);
  if (facts.quantity !== undefined && (typeof value === 'string' || typeof value === 'number')) {
    return facts.quantity === 'cpu' ? otherCpu(value) : otherMemory(value);
  }
  if (typeof value !== 'string') return value;
  if (facts.jsonText === true) return otherJson(value);
  return asBlocks ? otherBlock(value) : value;
}

function otherCpu(value: string | number): JsonValue {
  const millicores = cpuMillicores(value);
  if (millicores === undefined || !Number.isInteger(millicores)) return value;
  return String(value).endsWith('m') ? String(millicores / 1000) : `${millicores}m`;
}

function otherMemory(value: string | number): JsonValue {
  const bytes = memoryBytes(value);
  if (bytes === undefined || bytes % 1024 !== 0) return value;
  const kibi = bytes / 1024;
  return kibi % 1024 === 0 && !String(value).endsWith('Mi') ? `${kibi / 1024}Mi` : `${kibi}Ki`;
}

function otherJson(text: string): string {
  const value = jsonIn(text);
  return value === undefined ? text : JSON.stringify(value, undefined, 2);
}

/** Turns a bare address into a block of one or back; expands IPv6, in capitals. */
function otherBlock(text: string): string {
  const [address = '', length] = text.split('/');
  const groups = ipv6Groups(address);
  const shown = groups === undefined ? address : groups.map((group) => group.toString(16).padStart(4, '0')).join(':');
  const whole = groups === undefined ? '32' : '128';
  const words = shown.toUpperCase();
  if (length === undefined) return `${words}/${whole}`;
  return length === whole ? words : `${words}/${length}`;
}

/**
 * Ways in which an installation may show the same record differently (platform/concepts.tags,
 * platform/concepts.rewritten), to test that clients do not depend on them:
 *
 * - `bare`: without default values;
 * - `filled`: with all default values;
 * - `shuffled`: sets and keyed lists in another order;
 * - `short`: links in their short form;
 * - `tagged`: with tags of other clients and of the service;
 * - `legacy`: shorthands expanded, and fields replaced by their shorthand (`port` of a container);
 * - `respelled`: quantities, addresses and JSON texts in another notation, scalars of tags as text.
 */
export const answerForms = ['bare', 'filled', 'shuffled', 'short', 'tagged', 'legacy', 'respelled'] as const;

export type AnswerForm = (typeof answerForms)[number];

export function isAnswerForm(word: string): word is AnswerForm {
  return answerForms.some((form) => form === word);
}

interface AgentFacts {
  readonly id: string;
  readonly link: string;
}

/** `status.bootstrapConfig` of an agent, only in the response to its creation (platform/agent.bootstrap). */
export function bootstrapConfig({ id, link }: AgentFacts, registrationToken: string): JsonObject {
  return {
    registrationToken,
    agentId: id,
    agentLink: link,
    hubEndpoint: `https://hub.${publicDomain}`,
    protocolVersion: 'v1',
  };
}

/** `-info` of an agent (platform/agent.bootstrap). */
export function agentInfo({ id, link }: AgentFacts): JsonObject {
  return { agentId: id, agentLink: link, protocolVersion: 'v1', connected: false, peers: [] };
}
