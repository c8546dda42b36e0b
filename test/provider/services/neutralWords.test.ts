import { expect, it } from 'vitest';
import type { ObjectValue } from '../../../src/hcl/value.ts';
import { platformWords } from '../../../src/provider/services/planChange.ts';
import type { CreatableKind } from '../../../src/schema/record/kinds.ts';
import { dialect } from '../../dialect/invented.ts';

// biome-ignore format: a row is a case
it.each<[string, CreatableKind, ObjectValue, string, string]>([
  ['a reference', 'gvc', { name: 'g', spec: { env: { A: 'quay://secret/a' } } }, 'quay://secret/a',
    'scheme://secret/a'],
  ['a tag', 'group', { name: 'g', tags: { 'quay/protected': 'true' } }, 'quay/protected', 'scheme/protected'],
])(
  "%s in the platform's own words is refused before any plan, with the neutral word",
  (_, kind, config, written, neutral) => {
    const [found, ...others] = platformWords(kind, config, dialect);
    expect(others).toEqual([]);
    expect(found?.severity).toBe('error');
    expect(found?.summary).toContain(JSON.stringify(written));
    expect(found?.detail).toContain(JSON.stringify(neutral));
  },
);

it('neutral words, and values that are no words, are accepted', () => {
  const config: ObjectValue = {
    name: 'g',
    tags: { quay: 'quay', 'scheme/a': '1' },
    spec: {
      env: { A: 'scheme://secret/a', B: 'quay' },
    },
  };
  expect(platformWords('gvc', config, dialect)).toEqual([]);
});
