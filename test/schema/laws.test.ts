import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject } from '../../src/base/json/json.ts';
import { equalValues } from '../../src/kinds/equal.ts';
import { coerce, normalise } from '../../src/kinds/normalise.ts';
import { references } from '../../src/kinds/references.ts';
import { secretTypes } from '../../src/kinds/secret/fields.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import { creatableKinds, type Kind } from '../../src/schema/record/kinds.ts';
import type { ObjectShape } from '../../src/schema/shape/shape.ts';
import { runs } from '../harness/sampled.ts';
import { valueIn } from './arbitraryRecord.ts';

const context = { org: 'acme', gvc: 'shop' };

interface Subject {
  readonly kind: Kind;
  /** For a secret; otherwise empty. */
  readonly type: string;
  readonly shape: ObjectShape;
}

const subjects: readonly Subject[] = [
  ...creatableKinds.filter((kind) => kind !== 'secret').map((kind) => ({ kind, type: '', shape: shapeOf(kind) })),
  ...secretTypes.map((type) => ({ kind: 'secret' as const, type, shape: shapeOf('secret', { type }) })),
];

describe.each(subjects)('$kind $type', ({ kind, type, shape }) => {
  const record = valueIn(shape)
    .filter(isObject)
    .map((made) => (type === '' ? made : { ...made, type }));

  test('normalising a normal form does not change it', () => {
    fc.assert(
      fc.property(record, (made) => {
        const once = normalise(kind, made, context);
        expect(normalise(kind, once, context)).toEqual(once);
      }),
      { numRuns: runs(200) },
    );
  });

  test('coercing a coerced record does not change it, and nothing is lost', () => {
    fc.assert(
      fc.property(record, (made) => {
        const once = coerce(kind, made);
        expect(coerce(kind, once)).toEqual(once);
        expect(Object.keys(once)).toEqual(Object.keys(made));
      }),
      { numRuns: runs(100) },
    );
  });

  test('equality is reflexive and symmetric', () => {
    fc.assert(
      fc.property(record, record, (a, b) => {
        expect(equalValues(shape, a, JSON.parse(JSON.stringify(a)), context)).toBe(true);
        expect(equalValues(shape, a, b, context)).toBe(equalValues(shape, b, a, context));
      }),
      { numRuns: runs(200) },
    );
  });

  test('references are found in any record, with pointers into it', () => {
    fc.assert(
      fc.property(record, (made) => {
        for (const { pointer } of references(kind, made, context)) {
          let value: unknown = made;
          for (const part of pointer)
            value = typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined;
          expect(typeof value).toBe('string');
        }
      }),
      { numRuns: runs(100) },
    );
  });
});
