import { expect, test } from 'vitest';
import { sealedNote } from '../../../src/gantry/loading/openStacks.ts';

const given = (...sealed: readonly string[]) => ({ base: { state: {}, standIns: [], sealed } });

test('a note about values that the file of --snapshot lacks names the request that includes them', () => {
  expect(sealedNote('state.json', new Set(['secret/a', 'secret/b']), given('secret/a', 'secret/b', 'secret/c'))).toBe(
    'note: state.json does not hold the values of 2 secrets that are declared: take it with GET /-snapshot?secrets=true to compare them',
  );
});

test('undeclared and existing values are not reported as missing', () => {
  expect(sealedNote('state.json', new Set(), given('secret/c'))).toBeUndefined();
  expect(sealedNote('state.json', new Set(['secret/a']), given())).toBeUndefined();
});
