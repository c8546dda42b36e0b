import { expect, test } from 'vitest';
import { secretTypes } from '../../../src/kinds/secret/fields.ts';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import { readableKeys } from '../../../src/schema/facts/secretKeys.ts';
import type { Shape } from '../../../src/schema/shape/shape.ts';

test.each(secretTypes)(
  'of %s the strings of its data can be read individually, except the encoding (platform/secret.keys)',
  (type) => {
    const keys = readableKeys[type];
    expect(keys === 'any' ? keys : keys?.toSorted()).toEqual(textsOf(shapeOf('secret', { type }).fields.get('data')));
  },
);

/** `any` if users choose the names; none if all data is one string. */
function textsOf(data: Shape | undefined): unknown {
  if (data?.type === 'map') return 'any';
  if (data?.type !== 'object') return [];
  const texts = [...data.fields].filter(([name, { type }]) => type === 'scalar' && name !== 'encoding');
  return texts.map(([name]) => name).sort();
}
