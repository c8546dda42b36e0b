import { expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/json.ts';
import { Capabilities, storedValues } from '../../../src/capabilities/capabilities.ts';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import { formsOfAnswer, knownForms, withDefaults } from '../../../src/provider/plan/storedValues.ts';
import { shapeAt } from '../../../src/schema/shape/paths.ts';
import type { Shape } from '../../../src/schema/shape/shape.ts';

const context = { org: 'acme', gvc: 'shop' };
const ref = { kind: 'workload', name: 'web', gvc: 'shop' } as const;
const container = (more: JsonObject): JsonObject => ({
  name: 'web',
  spec: { type: 'standard', containers: [{ name: 'main', image: 'shop:1', ...more }] },
});
const secret: JsonObject = { name: 'key', type: 'opaque', data: { payload: 'hush' } };

function fieldOf(kind: 'workload' | 'secret', record: JsonObject, name: string): Shape {
  const shape = shapeOf(kind, record).fields.get(name);
  if (shape === undefined) throw new Error(`there is no field ${name}`);
  return shape;
}
const ofText = fieldOf('workload', container({}), 'description');
const ofSecret = fieldOf('secret', secret, 'data');

const known = new Capabilities();
known.learnDefault('workload', 'spec.containers.*.cpu', '70m');

it('a default of the platform is filled into a new record if the field is not declared', () => {
  expect(withDefaults('workload', container({}), known)).toEqual(container({ cpu: '70m' }));
  expect(withDefaults('workload', container({ cpu: '50m' }), known)).toEqual(container({ cpu: '50m' }));
  expect(withDefaults('gvc', { name: 'shop' }, known)).toEqual({ name: 'shop' });
  expect(withDefaults('workload', container({}), undefined)).toEqual(container({}));
});

const asWritten = new Capabilities(storedValues.map((id) => [id, 'holds'] as const));
it('a value counts as filled in if it was stored after the last write, or is a known default', () => {
  const isFilled = (path: string, value: JsonValue, stored: JsonObject, capabilities?: Capabilities) =>
    knownForms(ref, container({ cpu: '70m' }), context, { stored, capabilities })?.isFilled(path, ofText, value);
  expect(isFilled('description', 'x', { description: 'x' })).toBe(true);
  expect(isFilled('description', 'y', { description: 'x' })).toBe(false); // Another client has changed it since.
  expect(isFilled('description', 'x', {})).toBe(false);
  expect(isFilled('spec.containers.main.cpu', '70m', {}, known)).toBe(true);
  expect(isFilled('spec.containers.main.cpu', '80m', {}, known)).toBe(false);
  expect(isFilled('description', 'x', { description: 'x' }, asWritten)).toBeUndefined();
  const one = new Capabilities([[storedValues[0], 'holds']]);
  expect(isFilled('description', 'x', { description: 'x' }, one)).toBe(true); // The other capabilities may not hold.
});

it('a form of a declared value counts as stored if the answer to the last write showed it', () => {
  const [path, declared, live] = ['spec.containers.main.image', 'shop:1', 'docker.io/library/shop:1'];
  const image = shapeAt(shapeOf('workload', container({})), ['spec', 'containers', 0, 'image']) ?? ofText;
  const found = { stored: new Map<string, JsonValue>(), filled: new Set<string>() };
  const answer = formsOfAnswer(context, found);
  expect(answer?.isForm(path, image, live, 'other:1')).toBe(false);
  expect(found.stored).toEqual(new Map());
  expect(answer?.isForm(path, image, live, declared)).toBe(true);
  expect(found).toEqual({ stored: new Map([[path, live]]), filled: new Set() });
  const isForm = (stored: JsonObject, value: string) =>
    knownForms(ref, container({}), context, { stored })?.isForm(path, image, live, value);
  expect(isForm({ [path]: live }, declared)).toBe(true);
  expect(isForm({ [path]: live }, 'other:1')).toBe(false);
  expect(isForm({}, declared)).toBe(false);
});

it('whether a platform has other defaults follows from its capabilities', () => {
  expect(knownForms(ref, container({}), context, { capabilities: known })?.hasOtherDefaults).toBe(true);
  expect(knownForms(ref, container({}), context, {})?.hasOtherDefaults).toBe(false);
});

it('no value of a secret is kept, whatever the answer contains', () => {
  const found = { stored: new Map<string, JsonValue>(), filled: new Set<string>() };
  const forms = formsOfAnswer({ org: 'acme' }, found);
  expect(forms?.isFilled('data', ofSecret, { payload: 'hush' })).toBe(false);
  expect(forms?.isForm('data', ofSecret, { payload: 'hush' }, { payload: 'other' })).toBe(false);
  expect(found).toEqual({ stored: new Map(), filled: new Set() });
  expect(forms?.isFilled('description', ofText, 'x')).toBe(true);
  expect(found).toEqual({ stored: new Map([['description', 'x']]), filled: new Set(['description']) });
  const held = knownForms(
    { kind: 'secret', name: 'key' },
    secret,
    { org: 'acme' },
    { stored: { data: { payload: 'hush' } } },
  );
  expect(held?.isFilled('data', ofSecret, { payload: 'hush' })).toBe(false);
});
