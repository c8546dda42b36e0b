import fc from 'fast-check';
import type { JsonValue } from '../../src/base/json/json.ts';
import type { Shape } from '../../src/schema/shape/shape.ts';

const texts = [
  '',
  'a',
  'b',
  '/',
  '/a',
  '//secret/s',
  '//identity/i',
  '1.2.3.4',
  '1.2.3.4/32',
  '100m',
  '0.1',
  '1Gi',
  'é',
  '$drop',
];
const keys = ['a', 'b', 'c.d', '__proto__', 'constructor', '', 'name', '$drop'];

/** Values of an unknown type, for any field. */
const junk: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, 0, -1, 'x', '__proto__'),
  fc.array(fc.integer(), { maxLength: 2 }),
  fc.dictionary(fc.constantFrom(...keys), fc.integer(), { maxKeys: 2 }),
);

/** Mostly values of the shape, few distinct ones so that they are often equal; sometimes values of another type. */
export function valueIn(shape: Shape): fc.Arbitrary<JsonValue> {
  return fc.oneof({ weight: 12, arbitrary: properValue(shape) }, { weight: 1, arbitrary: junk });
}

function properValue(shape: Shape): fc.Arbitrary<JsonValue> {
  switch (shape.type) {
    case 'scalar':
      return scalar(shape.of);
    case 'list':
      return fc.array(valueIn(shape.item), { maxLength: 3 });
    case 'map':
      return fc.dictionary(fc.constantFrom(...keys), valueIn(shape.value), { maxKeys: 3 });
    case 'free':
      return junk;
    case 'object': {
      const fields = [...shape.fields].map(([name, field]) => [name, lazily(field)] as const);
      return fc
        .subarray(fields, { maxLength: Math.min(5, fields.length) })
        .chain((chosen) => fc.record(Object.fromEntries([...chosen, ['unknown', junk]])));
    }
  }
}

/** Shapes are deep, so a field is only generated when it was chosen. */
function lazily(shape: Shape): fc.Arbitrary<JsonValue> {
  return fc.constant(shape).chain(valueIn);
}

function scalar(of: 'string' | 'number' | 'boolean' | 'any'): fc.Arbitrary<JsonValue> {
  const numbers = fc.constantFrom<JsonValue>(0, 1, 80, 443, 0.5);
  if (of === 'number') return numbers;
  if (of === 'boolean') return fc.boolean();
  return of === 'any' ? fc.oneof(numbers, fc.constantFrom(...texts)) : fc.constantFrom(...texts);
}
