import { expect, test } from 'vitest';
import { secretTypes } from '../../../src/kinds/secret/fields.ts';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import { readableKeys } from '../../../src/schema/facts/secretKeys.ts';
import type { Shape } from '../../../src/schema/shape/shape.ts';

test.each(secretTypes)(
  'of %s the texts of its data can be read one by one, but for the encoding (platform/secret.keys)',
  (type) => {
    const keys = readableKeys[type];
    expect(keys === 'any' ? keys : keys?.toSorted()).toEqual(textsOf(shapeOf('secret', { type }).fields.get('data')));
  },
);

/** `any` where the names are the user's; none where all of it is one text. */
function textsOf(data: Shape | undefined): unknown {
  if (data?.type === 'map') return 'any';
  if (data?.type !== 'object') return [];
  const texts = [...data.fields].filter(([name, { type }]) => type === 'scalar' && name !== 'encoding');
  return texts.map(([name]) => name).sort();
}
