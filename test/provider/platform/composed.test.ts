import { expect, it } from 'vitest';
import { composed } from '../../../src/provider/platform/composed.ts';

it('texts and keys are composed at every depth; if two keys become equal, the composed one wins', () => {
  const record = { tags: { 'e\u0301': 'e\u0301', plain: 1 }, list: ['e\u0301', { 'o\u0308': null }], yes: true };
  expect(composed(record)).toEqual({ tags: { é: 'é', plain: 1 }, list: ['é', { ö: null }], yes: true });
  expect(composed({ é: 'ours', 'e\u0301': 'theirs' })).toEqual({ é: 'ours' });
});
