import { isArray, isObject, type JsonObject, type JsonValue, own } from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { onceForObject } from '../base/once.ts';
import type { FieldFacts, LinkFact, ReferenceStrength } from '../schema/facts/fieldFacts.ts';
import { isGvcScoped, type Kind, kindNamed } from '../schema/record/kinds.ts';
import { ownRef, parseLink, type RecordContext, type Ref } from '../schema/record/ref.ts';
import { anywhere, isResponseOnly } from '../schema/shape/anywhere.ts';
import { formatPath } from '../schema/shape/paths.ts';
import { fieldShape, isMerged, type ObjectShape, type Shape } from '../schema/shape/shape.ts';
import { shapeOf } from './shapeOf.ts';

/** One place of a record that refers to another resource (platform/deletion.references). */
export interface Reference {
  readonly path: string;
  readonly pointer: Pointer;
  readonly target: Ref;
  /** The org of a link, which may differ from the record's. */
  readonly org: string;
  readonly strength: ReferenceStrength;
  /** Only for a link: the facts of its field, such as the allowed kinds. */
  readonly fact?: LinkFact;
  /** The key in `scheme://secret/NAME.KEY`. */
  readonly key?: string;
}

type Found = Omit<Reference, 'path' | 'pointer'>;

/**
 * All references of the record, in field order. Images and undefined kinds are omitted. In a custom kind every text
 * that is a link counts, and nothing depends on its target's existence.
 */
export function references(kind: Kind, record: JsonObject, context: RecordContext): readonly Reference[] {
  const shape = shapeOf(kind, record);
  const found: Reference[] = [];
  visit(shape, record, [], (facts, text, place) => {
    const reference = facts.merged === true ? anyReference(text, context) : referenceIn(facts, text, context);
    if (reference !== undefined) found.push(new PlacedReference(reference, [...place], shape, record));
  });
  return found;
}

/** Created lazily: there are many references, and few callers show the path. */
class PlacedReference implements Reference {
  readonly pointer: Pointer;
  readonly target: Ref;
  readonly org: string;
  readonly strength: ReferenceStrength;
  declare readonly fact?: LinkFact;
  declare readonly key?: string;
  readonly #shape: ObjectShape;
  readonly #record: JsonObject;

  constructor({ target, org, strength, fact, key }: Found, pointer: Pointer, shape: ObjectShape, record: JsonObject) {
    this.pointer = pointer;
    this.target = target;
    this.org = org;
    this.strength = strength;
    if (fact !== undefined) this.fact = fact;
    if (key !== undefined) this.key = key;
    this.#shape = shape;
    this.#record = record;
  }

  get path(): string {
    return formatPath(this.#shape, this.#record, this.pointer);
  }
}

/** `place` is only valid during the call. */
type Visitor = (facts: FieldFacts, text: string, place: Pointer) => void;

function visit(shape: Shape, value: JsonValue, place: (string | number)[], visitor: Visitor): void {
  switch (shape.type) {
    case 'scalar':
      if (typeof value === 'string' && isReference(shape.facts)) visitor(shape.facts, value, place);
      return;
    case 'object':
      if (isObject(value)) {
        const names = shape.rest === undefined ? undefined : Object.keys(value);
        for (const { name, field } of names === undefined ? referringFields(shape) : referringAmong(shape, names)) {
          visitMember(field, own(value, name), name, place, visitor);
        }
      }
      return;
    case 'map':
      if (isObject(value) && refers(shape.value)) {
        for (const key of Object.keys(value)) visitMember(shape.value, own(value, key), key, place, visitor);
      }
      return;
    case 'list':
      if (isArray(value) && refers(shape.item)) {
        for (let index = 0; index < value.length; index += 1) {
          visitMember(shape.item, value[index], index, place, visitor);
        }
      }
      return;
    case 'free':
      if (!isMerged(shape)) return;
      if (typeof value === 'string') visitor(shape.facts, value, place);
      else if (isArray(value)) {
        for (const [index, item] of value.entries()) visitMember(shape, item, index, place, visitor);
      } else if (isObject(value)) {
        for (const key of Object.keys(value)) visitMember(shape, own(value, key), key, place, visitor);
      }
      return;
  }
}

function visitMember(
  shape: Shape,
  value: JsonValue | undefined,
  part: string | number,
  place: (string | number)[],
  visitor: Visitor,
): void {
  if (value === undefined) return;
  place.push(part);
  visit(shape, value, place, visitor);
  place.pop();
}

function isReference(facts: FieldFacts): boolean {
  return facts.link !== undefined || facts.uri !== undefined;
}

/** Whether there can be a reference below. Most of a record need not be visited. */
const refers = anywhere(
  (shape) => isMerged(shape) || (shape.type === 'scalar' && isReference(shape.facts)),
  isResponseOnly,
);

const referringFields = onceForObject((shape: ObjectShape) => referringAmong(shape, [...shape.fields.keys()]));

/** The fields with these names that may contain references; some names may be undeclared in the shape. */
function referringAmong(
  shape: ObjectShape,
  names: readonly string[],
): readonly { readonly name: string; readonly field: Shape }[] {
  return names.flatMap((name) => {
    const field = fieldShape(shape, name);
    return field !== undefined && refers(field) ? [{ name, field }] : [];
  });
}

/** In an unknown field: a link to anything, in a form that only links have. */
function anyReference(text: string, context: RecordContext): Found | undefined {
  const uri = uriReference(['secret', 'volumeset'], 'soft', text, context);
  if (uri !== undefined) return uri;
  if (!text.startsWith('//') && !text.startsWith('/org/')) return undefined;
  const [, own] = /^\/\/([a-z0-9-]+)\/[^/]+$/.exec(text) ?? [];
  const kind = own !== undefined && isGvcScoped(own) ? kindNamed(own) : undefined;
  const parsed = parseLink(text, context, kind === undefined ? undefined : { to: [kind], inOwnGvc: true });
  return parsed && { target: parsed.ref, org: parsed.org, strength: 'soft' };
}

function referenceIn(facts: FieldFacts, text: string, context: RecordContext): Found | undefined {
  const { link, uri } = facts;
  if (link !== undefined) {
    const parsed = parseLink(text, context, link);
    return parsed && { target: parsed.ref, org: parsed.org, strength: link.strength, fact: link };
  }
  return uri === undefined ? undefined : uriReference(uri, facts.uriStrength ?? 'hard', text, context);
}

const schemeUri = /^scheme:\/\/(secret|volumeset)\/([^/]+)$/;
const secretLink = /^\/org\/([^/]+)\/secret\/([^/]+)$/;

/**
 * A reference to a secret is always soft (platform/deletion.references: the rollout waits for it); `strength` is for
 * volume sets. A dot separates the name of the secret from the key: names contain no dots
 * (platform/workload.references).
 */
function uriReference(
  uri: readonly ('secret' | 'volumeset')[],
  strength: ReferenceStrength,
  text: string,
  context: RecordContext,
): Found | undefined {
  if (!text.startsWith('scheme://') && !text.startsWith('/org/')) return undefined;
  const [, kind, name] = schemeUri.exec(text) ?? [];
  if (kind === 'volumeset' && name !== undefined && uri.includes('volumeset')) {
    return { target: ownRef('volumeset', name, context), org: context.org, strength };
  }
  const [, org = context.org, linked = kind === 'secret' ? name : undefined] = secretLink.exec(text) ?? [];
  if (linked === undefined || !uri.includes('secret')) return undefined;

  const dot = linked.indexOf('.');
  const target = { kind: 'secret', name: dot < 0 ? linked : linked.slice(0, dot) } as const;
  const found = { target, org, strength: 'soft' } as const;
  return dot < 0 ? found : { ...found, key: linked.slice(dot + 1) };
}
