import type { TSchema } from 'typebox';
import { factsKeyword } from '../facts/define.ts';
import type { FieldFacts } from '../facts/fieldFacts.ts';
import type { ListShape, MapShape, ObjectShape, ScalarShape, Shape } from './shape.ts';

const noFacts: FieldFacts = {};

/** Reads a TypeBox node, which is plain JSON Schema, as a shape. */
export function shapeOfNode(node: TSchema): Shape {
  const facts = factsOf(node);
  const type: unknown = Reflect.get(node, 'type');
  const properties = childNodes(node, 'properties');
  if (properties !== undefined) return objectShapeOf(node);
  if (type === 'array') {
    const item: ListShape['item'] = shapeOfNode(childNode(node, 'items') ?? {});
    return { type: 'list', item, facts };
  }
  const value = childNode(node, 'additionalProperties');
  if (type === 'object' && value !== undefined) {
    const map: MapShape = { type: 'map', value: shapeOfNode(value), facts };
    return map;
  }
  const of = scalarType(type);
  return of === undefined ? { type: 'free', facts } : { type: 'scalar', of, facts };
}

/** The same for a node that declares fields. */
export function objectShapeOf(node: TSchema): ObjectShape {
  const fields = Object.entries(childNodes(node, 'properties') ?? {});
  return {
    type: 'object',
    fields: new Map(fields.map(([name, child]) => [name, shapeOfNode(child)])),
    ...requiredIn(node),
    ...(Reflect.get(node, 'additionalProperties') === true ? { open: true as const } : {}),
    facts: factsOf(node),
  };
}

function requiredIn(node: TSchema): Pick<ObjectShape, 'required'> {
  const names: unknown = Reflect.get(node, 'required');
  return Array.isArray(names) && names.length > 0 ? { required: new Set(names.map(String)) } : {};
}

function factsOf(node: TSchema): FieldFacts {
  const facts: unknown = Reflect.get(node, factsKeyword);
  return typeof facts === 'object' && facts !== null ? facts : noFacts;
}

function childNode(node: TSchema, keyword: string): TSchema | undefined {
  const child: unknown = Reflect.get(node, keyword);
  return isNode(child) ? child : undefined;
}

function childNodes(node: TSchema, keyword: string): Readonly<Record<string, TSchema>> | undefined {
  const children: unknown = Reflect.get(node, keyword);
  if (!isNode(children)) return undefined;
  return Object.fromEntries(Object.entries(children).filter((entry): entry is [string, TSchema] => isNode(entry[1])));
}

function isNode(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function scalarType(type: unknown): ScalarShape['of'] | undefined {
  if (type === 'string') return 'string';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  return Array.isArray(type) && !type.includes('object') ? 'any' : undefined;
}
