import { expect, it } from 'vitest';
import { type ObjectValue, unknown } from '../../../src/hcl/value.ts';
import { asPlanned } from '../../../src/provider/services/applyChange.ts';

const planned: ObjectValue = { a: 'x', b: unknown, c: '50m', spec: { items: [{ a: '1', d: '5' }] } };
const found: ObjectValue = { a: 'x', b: 'y', c: '100m', spec: { items: [{ a: '2', d: '15' }] } };

it('a field stored otherwise than declared is an error at its attribute; an unknown value may become anything', () => {
  const config: ObjectValue = { a: 'x', b: null, c: '50m', spec: { items: [{ a: '1', d: '5' }] } };
  const { state, planDiagnostics: told } = asPlanned('group/ops', { planned, config, found });
  expect(told.map(({ severity, path }) => [severity, path])).toEqual([
    ['error', ['c']],
    ['error', ['spec', 'items', 0, 'a']],
    ['error', ['spec', 'items', 0, 'd']],
  ]);
  expect(state).toEqual(found);
  expect(asPlanned('group/ops', { planned: found, config, found }).planDiagnostics).toEqual([]);
});

it('an attribute that is not configured stays as planned, with a warning that shows the value of the platform', () => {
  const config: ObjectValue = { a: 'x', b: null, c: null, spec: { items: [{ a: '2', d: null }] } };
  const plan = { ...planned, spec: { items: [{ a: '2', d: '5' }] } };
  const { state, planDiagnostics: told } = asPlanned('group/ops', { planned: plan, config, found });
  expect(told.map(({ severity, path }) => [severity, path])).toEqual([
    ['warning', ['c']],
    ['warning', ['spec', 'items', 0, 'd']],
  ]);
  expect(told[1]?.detail).toContain(
    'group/ops: it filled in "15" for spec.items[0].d, which the configuration leaves out',
  );
  expect(state).toEqual({ ...found, c: '50m', spec: { items: [{ a: '2', d: '5' }] } });
});
