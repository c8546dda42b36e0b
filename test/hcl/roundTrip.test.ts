import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { layoutOf } from '../../src/hcl/schema/kindLayout.ts';
import { manifestOf } from '../../src/hcl/values/manifestOf.ts';
import { configOf, importedConfig, stateOf } from '../../src/hcl/values/stateOf.ts';
import { normalise } from '../../src/kinds/normalise.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import { declarable } from '../../src/patch/declarable.ts';
import { diff } from '../../src/patch/diff.ts';
import { patchFor } from '../../src/provider/plan/patchFor.ts';
import { context, recordsOf, subjects } from '../patch/realRecord.ts';
import { creatable, planned } from './lifecycle.ts';

describe.each(subjects)('$kind $type', ({ kind, type }) => {
  const records = recordsOf(kind, type);

  test('a configuration has the content of its manifest', () => {
    fc.assert(
      fc.property(records, (record: JsonObject) => {
        const config = configOf(kind, record, context);
        const { record: said, diagnostics, unknowns } = manifestOf(kind, config);
        expect(diagnostics).toEqual([]);
        expect(unknowns).toEqual([]);
        expect(diff(kind, normalise(kind, record, context), said, { context, directives: 'all' })).toBeUndefined();
        expect(configOf(kind, said, context)).toEqual(config);
      }),
      { numRuns: 10 },
    );
  });

  test('an import has the live content, and is read back unchanged', () => {
    fc.assert(
      fc.property(records, (record: JsonObject) => {
        const live = normalise(kind, record, context);
        const state = stateOf(kind, live, context);
        const { record: said } = manifestOf(kind, state);
        expect(diff(kind, live, { ...said, tags: live['tags'] ?? {} }, { context, directives: 'all' })).toBeUndefined();
        expect(stateOf(kind, live, { ...context, hint: state })).toEqual(state);
      }),
      { numRuns: 10 },
    );
  });

  test('an import with the configuration that Terraform generates for it plans no changes', () => {
    const readOnly = [...layoutOf(kind).lastingAnswers.map(({ name }) => name), 'link'];
    fc.assert(
      fc.property(records, (record: JsonObject) => {
        const live = normalise(kind, record, context);
        const state = stateOf(kind, live, context);
        const config = { ...state, ...Object.fromEntries(readOnly.map((name) => [name, null])) };
        const creatableKind = creatable(kind);
        expect(planned(creatableKind, config, state).planned).toEqual(state);
        expect(patchFor({ kind: creatableKind, config, prior: state, live, ...context })).toBeUndefined();
      }),
      { numRuns: Number(process.env['GANTRY_TERRAFORM_RUNS'] ?? 10) },
    );
  });

  test('an export plans no changes after its import, also with live values', () => {
    fc.assert(
      fc.property(records, fc.boolean(), (record: JsonObject, isNormal) => {
        const live = isNormal ? normalise(kind, record, context) : record;
        const state = stateOf(kind, live, context);
        const said = configOf(kind, declarable(shapeOf(kind, live), live, context).record, context);
        const config = { ...said, ...importedConfig(layoutOf(kind).record, state, said) };
        const creatableKind = creatable(kind);
        expect(planned(creatableKind, config, state).planned).toEqual(state);
        expect(patchFor({ kind: creatableKind, config, prior: state, live, ...context })).toBeUndefined();
      }),
      { numRuns: Number(process.env['GANTRY_TERRAFORM_RUNS'] ?? 10) },
    );
  });
});
