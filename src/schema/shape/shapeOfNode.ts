import type { TSchema } from 'typebox';
import { isObject } from '../../base/json/json.ts';
import { factsKeyword } from '../facts/define.ts';
import type { FieldFacts } from '../facts/fieldFacts.ts';
import type { ListShape, MapShape, ObjectShape, ScalarShape, Shape } from './shape.ts';

const noFacts: FieldFacts = {};

/** Converts a TypeBox node, which is plain JSON Schema, to a shape. */
export function shapeOfNode(node: TSchema): Shape {
  const facts = factsOf(node);
  const type: unknown = Reflect.get(node, 'type');
  if (childNode(node, 'properties') !== undefined) return objectShapeOf(node);
  if (type === 'array') {
    const item: ListShape['item'] = shapeOfNode(childNode(node, 'items') ?? {});
    return { type: 'list', item, facts };
  }
  const value = childNode(node, 'additionalProperties');
  if (value !== undefined) {
    const map: MapShape = { type: 'map', value: shapeOfNode(value), facts };
    return map;
  }
  const of = scalarType(type);
  if (of === undefined) return { type: 'free', facts };
  const words: unknown = Reflect.get(node, 'enum');
  return { type: 'scalar', of, ...(Array.isArray(words) ? { words: words.map(String) } : {}), facts };
}

/** The same for a node that declares fields. */
export function objectShapeOf(node: TSchema): ObjectShape {
  const properties = childNode(node, 'properties') ?? {};
  return {
    type: 'object',
    fields: new Map(Object.keys(properties).map((name) => [name, shapeOfNode(childNode(properties, name) ?? {})])),
    ...requiredIn(node),
    ...(Reflect.get(node, 'additionalProperties') === true ? { open: true as const } : {}),
    facts: factsOf(node),
  };
}

function requiredIn(node: TSchema): Pick<ObjectShape, 'required'> {
  const names: unknown = Reflect.get(node, 'required');
  return Array.isArray(names) ? { required: new Set(names.map(String)) } : {};
}

function factsOf(node: TSchema): FieldFacts {
  const facts: unknown = Reflect.get(node, factsKeyword);
  return isObject(facts) ? facts : noFacts;
}

function childNode(node: TSchema, keyword: string): TSchema | undefined {
  const child: unknown = Reflect.get(node, keyword);
  return isNode(child) ? child : undefined;
}

function isNode(value: unknown): value is TSchema {
  return isObject(value);
}

function scalarType(type: unknown): ScalarShape['of'] | undefined {
  if (type === 'string') return 'string';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  return Array.isArray(type) && !type.includes('object') ? 'any' : undefined;
}
