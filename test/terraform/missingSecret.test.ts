import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/schema/json/json.ts';
import { loadValidators } from '../../src/schema/validation/validators.ts';
import { holdsUnknown, type ObjectValue } from '../../src/terraform/model/value.ts';
import { patchFor } from '../../src/terraform/plan/patchFor.ts';
import { planResource } from '../../src/terraform/plan/planResource.ts';
import { stateAfter } from '../../src/terraform/plan/stateAfter.ts';
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

test('what the state has of a value of which nothing is said stays, and nothing is written', () => {
  const live = { name: 'shop-db', type: 'opaque', data: { payload: 'x' }, id: 'u', version: 1, tags: {} };
  const prior = stateOf(kind, live, context);
  expect(prior['data']).not.toBeNull();
  expect(planResource({ kind, config: bare, prior, ...context }).planned).toEqual(prior);
  const renamed = { ...bare, description: 'other' };
  const { planned } = planResource({ kind, config: renamed, prior, ...context });
  expect(planned?.['data']).toEqual(prior['data']);
  expect(patchFor({ kind, config: renamed, prior, live, ...context })?.patch).toEqual({ description: 'other' });
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

test('a value that says nothing, as Terraform generates it, is none', async () => {
  const validators = await loadValidators([kind]);
  const nothing = { opaque: null, dictionary: null, userpass: null };
  const generated = { ...bare, data: nothing, data_wo: nothing };
  expect(validateConfig({ kind, config: generated, validators, ...context })).toEqual([]);
  const live = { name: 'shop-db', type: 'opaque', data: { payload: 'x' }, id: 'u', version: 1, tags: {} };
  const prior = stateOf(kind, live, context);
  expect(planResource({ kind, config: generated, prior, ...context }).planned).toEqual(prior);
  const hidden = { ...prior, data: null };
  const { planned } = planResource({ kind, config: generated, prior: hidden, ...context });
  expect(planned).toMatchObject({ data: nothing, data_wo: null }); // Terraform allows no null for what is written
  expect(planResource({ kind, config: generated, prior: null, ...context }).diagnostics).toMatchObject([
    { summary: 'data is missing' },
  ]);
});

test('what the platform may choose of a value that it does not show is known after the apply', () => {
  const aws = config({ type: 'aws', data: { accessKey: 'AKIA', secretKey: 's' } });
  const { planned } = planResource({ kind, config: aws, prior: null, ...context });
  expect(holdsUnknown(planned?.['data'])).toBe(true);
  const reply = { name: 'shop-db', type: 'aws', id: 'u', version: 1, tags: {} };
  const state = stateAfter(kind, reply, planned ?? {}, context);
  expect(state['data']).toMatchObject({ aws: { access_key: 'AKIA', role_arn: null } });
});

test('a value that neither configuration nor state has is not dropped where it can be read later', () => {
  const live = { name: 'shop-db', type: 'opaque', data: { payload: 'x' }, id: 'u', version: 1, tags: {} };
  const prior = { ...stateOf(kind, live, context), data: null };
  const renamed = { ...bare, description: 'other' };
  expect(patchFor({ kind, config: bare, prior, live, ...context })).toBeUndefined();
  expect(patchFor({ kind, config: renamed, prior, live, ...context })?.patch).toEqual({ description: 'other' });
});
