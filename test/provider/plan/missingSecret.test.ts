import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { holdsUnknown, type ObjectValue } from '../../../src/hcl/value.ts';
import { configOf, stateOf } from '../../../src/hcl/values/stateOf.ts';
import { loadValidators } from '../../../src/kinds/validators.ts';
import { stateAfter } from '../../../src/provider/changes/changeContext.ts';
import { patchFor } from '../../../src/provider/plan/patchFor.ts';
import { planResource } from '../../../src/provider/plan/planResource.ts';
import { validateConfig } from '../../../src/provider/plan/validateConfig.ts';

const context = { org: 'acme' };
const kind = 'secret';

function config(record: JsonObject): ObjectValue {
  return configOf(kind, { name: 'shop-db', type: 'opaque', ...record }, context);
}

const bare = { ...config({}), data: null };

test('a configuration without the value of a secret is valid: an existing secret keeps its value', async () => {
  const validators = await loadValidators([kind]);
  expect(validateConfig({ kind, config: bare, validators, ...context })).toEqual([]);
  const prior = stateOf(kind, { name: 'shop-db', type: 'opaque', id: 'u', version: 1, tags: {} }, context);
  expect(planResource({ kind, config: bare, prior, ...context }).diagnostics).toEqual([]);
});

test('a value that is removed from the configuration stays on the platform, and leaves the state', () => {
  const live = { name: 'shop-db', type: 'opaque', data: { payload: 'x' }, id: 'u', version: 1, tags: {} };
  const prior = stateOf(kind, live, context);
  expect(prior['data']).not.toBeNull();
  expect(planResource({ kind, config: bare, prior, ...context }).planned).toMatchObject({ data: null });
  expect(patchFor({ kind, config: bare, prior, live, ...context })).toBeUndefined();
  const renamed = { ...bare, description: 'other' };
  expect(patchFor({ kind, config: renamed, prior, live, ...context })?.patch).toEqual({ description: 'other' });
});

test('a new secret needs a value', () => {
  const { diagnostics } = planResource({ kind, config: bare, prior: null, ...context });
  expect(diagnostics).toMatchObject([{ severity: 'error', summary: 'data is missing', path: ['data'] }]);
});

test.each([
  ['data', config({ data: { payload: 'x' } })],
  ['data_wo', { ...bare, data_wo: { opaque: { payload: 'x', encoding: null } } }],
])('%s counts as its value', (_, said) => {
  expect(planResource({ kind, config: said, prior: null, ...context }).diagnostics).toEqual([]);
});

test.each(['data', 'data_wo'])('a block %s without a value is refused', async (name) => {
  const validators = await loadValidators([kind]);
  const empty = { ...bare, data_wo_version: 1, [name]: { opaque: null, dictionary: null, userpass: null } };
  expect(validateConfig({ kind, config: empty, validators, ...context })).toMatchObject([
    { severity: 'error', summary: `${name} has no value`, path: [name] },
  ]);
});

test('parts of a hidden value that the platform may choose are known after the apply', () => {
  const aws = config({ type: 'aws', data: { accessKey: 'AKIA', secretKey: 's' } });
  const { planned } = planResource({ kind, config: aws, prior: null, ...context });
  expect(holdsUnknown(planned?.['data'])).toBe(true);
  const reply = { name: 'shop-db', type: 'aws', id: 'u', version: 1, tags: {} };
  const state = stateAfter(kind, reply, planned ?? {}, context);
  expect(state['data']).toMatchObject({ aws: { access_key: 'AKIA', role_arn: null } });
});

test('a value in neither configuration nor state is not dropped, even if it can be read later', () => {
  const live = { name: 'shop-db', type: 'opaque', data: { payload: 'x' }, id: 'u', version: 1, tags: {} };
  const prior = { ...stateOf(kind, live, context), data: null };
  const renamed = { ...bare, description: 'other' };
  expect(patchFor({ kind, config: bare, prior, live, ...context })).toBeUndefined();
  expect(patchFor({ kind, config: renamed, prior, live, ...context })?.patch).toEqual({ description: 'other' });
});
