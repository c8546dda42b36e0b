import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { boundsOf } from '../../../src/kinds/describedFields.ts';

test.each<[JsonObject, string]>([
  [{ type: 'integer', minimum: 1, maximum: 65535 }, '1 to 65535.'],
  [{ type: 'integer', minimum: 1 }, 'At least 1.'],
  [{ type: 'number', maximum: 0 }, 'At most 0.'],
  [{ type: 'array', minItems: 1, maxItems: 20 }, '1 to 20 items.'],
  [{ type: 'array', minItems: 1 }, 'At least 1 item.'],
  [{ type: 'array', minItems: 2 }, 'At least 2 items.'],
  [{ type: 'array', maxItems: 50 }, 'At most 50 items.'],
  [{ type: 'string', minLength: 3, maxLength: 64 }, '3 to 64 characters.'],
  [{ type: 'string', maxLength: 250 }, 'At most 250 characters.'],
  [{ type: 'string', minLength: 1, maxLength: 250 }, 'At most 250 characters.'],
  [{ type: 'string', minLength: 1 }, ''],
  [{ type: ['string', 'number'], maxLength: 20 }, ''],
  [{ type: 'array', minimum: 2, maxItems: 3 }, 'At least 2. At most 3 items.'],
  [{ type: 'string' }, ''],
])('the bounds of %j are: %s', (node, words) => {
  expect(boundsOf(node)).toBe(words);
});
