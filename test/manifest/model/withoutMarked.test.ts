import { expect, test } from 'vitest';
import type { Pointer } from '../../../src/base/json/pointer.ts';
import { withoutMarked } from '../../../src/manifest/model/marks.ts';
import type { Problem } from '../../../src/schema/record/problem.ts';

const record = { name: 'shop', description: 'ab', tags: { a: 'swordfish', b: '', c: 'plain' } };
const declared = {
  ref: { kind: 'gvc' },
  record,
  lifecycle: { sensitive: ['description', 'tags.a', 'tags.b'] },
} as const;

function problem(pointer: Pointer, message: string, hint?: string): Problem {
  return {
    rule: 'r',
    path: pointer.join('.'),
    pointer,
    message,
    severity: 'error',
    ...(hint === undefined ? {} : { hint }),
  };
}

test.each<{ it: string; pointer: Pointer; others: readonly string[]; says: string; shown: string }>(
  // biome-ignore format: a row is a case
  [
    { it: 'at a marked field even a short value of the resource', pointer: ['description'], others: [],
      says: 'ab is no fish', shown: '*** is no fish' },
    { it: 'below a marked field', pointer: ['tags', 'a', 'x'], others: [], says: 'no swordfish', shown: 'no ***' },
    { it: 'beside one only values of others', pointer: ['tags', 'c'], others: [], says: 'ab swordfish',
      shown: 'ab swordfish' },
    { it: 'values of all resources, at any field', pointer: ['tags', 'c'], others: ['swordfish'], says: 'ab swordfish',
      shown: 'ab ***' },
    { it: 'of other resources those of four characters or more',
      pointer: [], others: ['fish', 'cat'], says: 'fish and cat',
      shown: '*** and cat' },
    { it: 'none for an empty value', pointer: ['tags', 'b'], others: [''], says: 'is empty', shown: 'is empty' },
  ],
)('no problem contains a marked value: $it', ({ pointer, others, says, shown }) => {
  expect(withoutMarked(problem(pointer, says), declared, others)).toEqual(problem(pointer, shown));
  expect(withoutMarked(problem(pointer, 'm', says), declared, others)).toEqual(problem(pointer, 'm', shown));
});
