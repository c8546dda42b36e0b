import type { TObject } from 'typebox';
import { type JsonObject, mapMembers, own, sameJson } from '../base/json/json.ts';
import { onceFor, onceForObject } from '../base/once.ts';
import { openFields } from '../schema/facts/define.ts';
import type { FieldFacts } from '../schema/facts/fieldFacts.ts';
import { onlyMetadata } from '../schema/facts/riskFacts.ts';
import { type CustomKindFacts, customKindFacts, onlyNamed } from '../schema/record/customKinds.ts';
import { isKnownKind, type Kind, type KnownKind } from '../schema/record/kinds.ts';
import type { ObjectShape, Shape } from '../schema/shape/shape.ts';
import { objectShapeOf, shapeOfNode } from '../schema/shape/shapeOfNode.ts';
import { envelope, inGvc } from './common/fields.ts';
import type { Sheet, Variants } from './common/sheet.ts';
import { targetKinds } from './kindFacts.ts';
import { sheets } from './list.ts';

const knownShape = onceFor((kind: KnownKind) => objectShapeOf(definitionOf(kind)));
const variantShapes = new Map<string, ObjectShape>();

/**
 * The shape of a whole record: name, description, tags, the fields of the kind, and platform-owned fields. `record`
 * selects among variants (the `data` of a secret, by its `type`); without it, or with an unknown type, a variant field
 * is free-form.
 */
export function shapeOf(kind: Kind, record?: JsonObject): ObjectShape {
  if (!isKnownKind(kind)) return customShape(customKindFacts(kind));
  const shape = knownShape(kind);
  const variant = variantsOf(kind);
  if (variant === undefined || record === undefined) return shape;

  const which = own(record, variant.by);
  if (typeof which !== 'string' || !Object.hasOwn(variant.definitions, which)) return shape;
  const id = `${kind}/${which}`;
  const known = variantShapes.get(id);
  if (known !== undefined) return known;

  const definition = variant.definitions[which];
  if (definition === undefined) return shape;
  const fields = new Map(shape.fields).set(variant.field, shapeOfNode(definition));
  const made: ObjectShape = { ...shape, fields };
  variantShapes.set(id, made);
  return made;
}

/**
 * The facts of any field of a custom kind. The platform may have chosen omitted values, so they stay, unless this stack
 * set them before. An empty list or object may have a meaning. The effect of a change is unknown: it may interrupt
 * dependents of the record.
 */
const anything: FieldFacts = { merged: true, fill: 'service', presence: true, risk: 'downtime' };
const anyShape: Shape = { type: 'free', facts: anything };

/** A record of a custom kind: the fields of every record, and anything else (`customKinds.ts`). */
export const customRecord = openFields({ ...envelope, ...inGvc }, onlyMetadata);

const common = objectShapeOf(customRecord);

/** The shape of a custom kind's records: the common envelope, the few stated facts, and anything else. */
export function customShape(facts: CustomKindFacts = onlyNamed): ObjectShape {
  return shapeWith(facts);
}

const shapeWith = onceForObject((facts: CustomKindFacts): ObjectShape => {
  const top = new Node();
  for (const path of facts.immutable) top.at(path).immutable = true;
  for (const [path, field] of Object.entries(facts.listKeys)) top.at(path).key = field;
  return {
    ...common,
    fields: new Map([...top.fields(), ...common.fields]),
    open: true,
    rest: anyShape,
  };
});

/** A place with known facts, at it or below it. */
class Node {
  immutable = false;
  key: string | undefined;
  readonly #below = new Map<string, Node>();

  at(path: string): Node {
    return path.split('.').reduce<Node>((node, name) => node.#child(name), this);
  }

  #child(name: string): Node {
    const child = this.#below.get(name) ?? new Node();
    this.#below.set(name, child);
    return child;
  }

  fields(): ReadonlyMap<string, Shape> {
    return new Map([...this.#below].map(([name, node]) => [name, node.#shape()]));
  }

  #shape(): Shape {
    const facts: FieldFacts = this.immutable ? { ...anything, immutable: true } : anything;
    if (this.key !== undefined) {
      const key = { parts: [{ fields: [this.key] }], evidence: 'proposed' } as const;
      return { type: 'list', item: this.#object(notChosen), facts: { ...facts, list: { class: 'keyed', key } } };
    }
    return this.#below.size === 0 ? { type: 'free', facts } : this.#object(facts);
  }

  #object(facts: FieldFacts): ObjectShape {
    return { type: 'object', fields: this.fields(), open: true, rest: anyShape, facts };
  }
}

/** A list item exists because it was declared. */
const notChosen: FieldFacts = { presence: true, risk: 'downtime' };

/** The one definition of a kind: types, JSON Schema, validators and shapes all come from it. */
export const definitionOf = onceFor((kind: KnownKind): TObject => {
  const { definition } = sheets[kind];
  return typeof definition === 'function' ? definition(targetKinds) : definition;
});

/** Undefined if all records have the same fields. */
export function variantsOf(kind: KnownKind): Variants | undefined {
  const { variants }: Sheet = sheets[kind];
  return variants;
}

/** The record without fields that only the platform sets, and without values that clients must not declare. */
export function withoutPlatformValues(kind: Kind, record: JsonObject): JsonObject {
  const { fields } = shapeOf(kind, record);
  return mapMembers(record, (value, name) => {
    const facts = fields.get(name)?.facts;
    if (facts?.responseOnly === true) return undefined;
    return facts?.ownValue !== undefined && !sameJson(facts.ownValue, value) ? undefined : value;
  });
}
