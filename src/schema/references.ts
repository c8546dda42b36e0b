import type { RecordContext } from './context.ts';
import type { FieldFacts, LinkFact, ReferenceStrength } from './facts.ts';
import { isArray, isObject, type JsonObject, type JsonValue, own } from './json.ts';
import type { Kind } from './kinds.ts';
import { ownRef, parseLink } from './links.ts';
import { formatPath } from './paths.ts';
import type { Ref } from './ref.ts';
import type { Shape } from './shape.ts';
import { shapeOf } from './shapes.ts';

/** One place of a record that names another resource (resources D). */
export interface Reference {
  readonly path: string;
  readonly pointer: readonly (string | number)[];
  readonly target: Ref;
  /** The org of a link, which is not always the record's own. */
  readonly org: string;
  readonly strength: ReferenceStrength;
  /** For a link: the kinds that are legal here. */
  readonly fact?: LinkFact;
  /** For `scheme://secret/NAME.KEY`: the key. */
  readonly key?: string;
}

type Pointer = readonly (string | number)[];
type Found = Omit<Reference, 'path' | 'pointer'>;

/** Everything that the record refers to, in the order of its fields. Images and unknown kinds are left out. */
export function references(kind: Kind, record: JsonObject, context: RecordContext): readonly Reference[] {
  const shape = shapeOf(kind, record);
  const found: Reference[] = [];
  visit(shape, record, [], (facts, text, pointer) => {
    for (const reference of referencesIn(facts, text, context)) {
      found.push({ path: formatPath(shape, record, pointer), pointer, ...reference });
    }
  });
  return found;
}

type Visitor = (facts: FieldFacts, text: string, pointer: Pointer) => void;

function visit(shape: Shape, value: JsonValue, pointer: Pointer, visitor: Visitor): void {
  if (shape.facts.responseOnly === true) return;
  switch (shape.type) {
    case 'scalar': {
      const { link, uri } = shape.facts;
      if (typeof value === 'string' && (link !== undefined || uri !== undefined)) visitor(shape.facts, value, pointer);
      return;
    }
    case 'object':
      if (!isObject(value)) return;
      for (const [name, field] of shape.fields) {
        const member = own(value, name);
        if (member !== undefined && holdsReferences(field)) visit(field, member, [...pointer, name], visitor);
      }
      return;
    case 'map':
      if (!isObject(value) || !holdsReferences(shape.value)) return;
      for (const key of Object.keys(value)) visit(shape.value, own(value, key) ?? null, [...pointer, key], visitor);
      return;
    case 'list':
      if (!isArray(value) || !holdsReferences(shape.item)) return;
      for (const [index, item] of value.entries()) visit(shape.item, item, [...pointer, index], visitor);
      return;
    case 'free':
      return;
  }
}

const known = new WeakMap<Shape, boolean>();

/** Whether a reference can stand anywhere below: most of a record need not be visited. */
function holdsReferences(shape: Shape): boolean {
  const answer = known.get(shape);
  if (answer !== undefined) return answer;
  const found = computeHolds(shape);
  known.set(shape, found);
  return found;
}

function computeHolds(shape: Shape): boolean {
  switch (shape.type) {
    case 'scalar':
      return shape.facts.link !== undefined || shape.facts.uri !== undefined;
    case 'object':
      return [...shape.fields.values()].some(holdsReferences);
    case 'map':
      return holdsReferences(shape.value);
    case 'list':
      return holdsReferences(shape.item);
    case 'free':
      return false;
  }
}

function referencesIn(facts: FieldFacts, text: string, context: RecordContext): readonly Found[] {
  const { link, uri } = facts;
  if (link !== undefined) {
    const parsed = parseLink(text, context, link);
    return parsed === undefined ? [] : [{ target: parsed.ref, org: parsed.org, strength: link.strength, fact: link }];
  }
  return uri === undefined ? [] : uriReferences(uri, facts.uriStrength ?? 'hard', text, context);
}

const schemeUri = /^scheme:\/\/(secret|volumeset)\/([^/]+)$/;
const secretLink = /^\/org\/([^/]+)\/secret\/([^/]+)$/;

/**
 * A secret is named softly wherever it stands (resources D 3 and 4: the rollout waits for it); `strength` is that of
 * a volume set (D 5). A dot parts the secret's name from the key: names have no dots (resources B2.14).
 */
function uriReferences(
  uri: readonly ('secret' | 'volumeset')[],
  strength: ReferenceStrength,
  text: string,
  context: RecordContext,
): readonly Found[] {
  const [, kind, name] = schemeUri.exec(text) ?? [];
  if (kind === 'volumeset' && name !== undefined && uri.includes('volumeset')) {
    return [{ target: ownRef('volumeset', name, context), org: context.org, strength }];
  }
  const [, org = context.org, linked = kind === 'secret' ? name : undefined] = secretLink.exec(text) ?? [];
  if (linked === undefined || !uri.includes('secret')) return [];

  const dot = linked.indexOf('.');
  const target = { kind: 'secret', name: dot < 0 ? linked : linked.slice(0, dot) } as const;
  const found = { target, org, strength: 'soft' } as const;
  return [dot < 0 ? found : { ...found, key: linked.slice(dot + 1) }];
}
