import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/schema/json/json.ts';
import { loadValidators } from '../../src/schema/validation/validators.ts';
import type { ObjectValue } from '../../src/terraform/model/value.ts';
import { planResource } from '../../src/terraform/plan/planResource.ts';
import { validateConfig } from '../../src/terraform/plan/validateConfig.ts';
import { configOf, stateOf } from '../../src/terraform/values/stateOf.ts';

const context = { org: 'acme' };
const kind = 'secret';

function config(record: JsonObject): ObjectValue {
  return configOf(kind, { name: 'shop-db', type: 'opaque', ...record }, context);
}

const bare = { ...config({}), data: null };

test('a configuration without the value of a secret is valid: one that exists keeps it', async () => {
  const validators = await loadValidators([kind]);
  expect(validateConfig({ kind, config: bare, validators, ...context })).toEqual([]);
  const prior = stateOf(kind, { name: 'shop-db', type: 'opaque', id: 'u', version: 1, tags: {} }, context);
  expect(planResource({ kind, config: bare, prior, ...context }).diagnostics).toEqual([]);
});

test('a new secret needs its value', () => {
  const { diagnostics } = planResource({ kind, config: bare, prior: null, ...context });
  expect(diagnostics).toMatchObject([{ severity: 'error', summary: 'data is missing', path: ['data'] }]);
});

test.each([
  ['data', config({ data: { payload: 'x' } })],
  ['data_wo', { ...bare, data_wo: { opaque: { payload: 'x', encoding: null } } }],
])('%s is its value', (_, said) => {
  expect(planResource({ kind, config: said, prior: null, ...context }).diagnostics).toEqual([]);
});
