import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyPatch } from '../../src/patch/apply/applyPatch.ts';
import { isObject, type JsonObject } from '../../src/schema/json/json.ts';
import { normalise } from '../../src/schema/normalForm/normalise.ts';
import { contextOf } from '../../src/schema/record/context.ts';
import { type CreatableKind, isCreatableKind, type Kind } from '../../src/schema/record/kinds.ts';
import { shapeOf } from '../../src/schema/shape/shapeOf.ts';
import type { ObjectValue } from '../../src/terraform/model/value.ts';
import { creationOf, patchFor } from '../../src/terraform/plan/patchFor.ts';
import { planResource } from '../../src/terraform/plan/planResource.ts';
import { resourceSchema } from '../../src/terraform/schema/providerSchema.ts';
import { configOf, stateOf } from '../../src/terraform/values/stateOf.ts';
import { context, mixed, recordsOf, subjects } from '../patch/realRecord.ts';
import { applyFaults, planFaults } from './core.ts';

function creatable(kind: Kind): CreatableKind {
  if (!isCreatableKind(kind)) throw new Error(kind);
  return kind;
}

/** What the platform holds after a write. */
function stored(kind: Kind, record: JsonObject, version: number): JsonObject {
  return {
    ...normalise(kind, record, contextOf({ kind, name: 'web', gvc: context.gvc }, context.org)),
    id: 'uid-1',
    version,
    created: '2026-11-20T10:00:00Z',
    lastModified: `2026-11-20T10:00:0${version}Z`,
    status: { seen: version },
  };
}

/** Plans and applies as Terraform does, and holds it to what Terraform demands. */
function applied(
  kind: CreatableKind,
  config: ObjectValue,
  before?: { readonly live: JsonObject; readonly state: ObjectValue },
) {
  const { attributes } = resourceSchema(kind);
  const prior = before === undefined ? null : stateOf(kind, before.live, { ...context, hint: before.state });
  if (before !== undefined) expect(prior).toEqual(before.state);
  const { planned, requiresReplace } = planResource({ kind, config, prior, ...context });
  expect(planFaults(attributes, prior, config, planned)).toEqual([]);
  if (planned === null) throw new Error('nothing is planned');
  if (prior === null || before === undefined || requiresReplace.length > 0) {
    const fresh = prior === null ? planned : planResource({ kind, config, prior: null, ...context }).planned;
    const live = stored(kind, creationOf(kind, config), 1);
    const state = stateOf(kind, live, { ...context, hint: fresh ?? planned });
    expect(applyFaults(fresh, state)).toEqual([]);
    return { live, state };
  }
  const patch = patchFor({ kind, config, prior, live: before.live, ...context });
  if (patch === undefined) {
    const state = stateOf(kind, before.live, { ...context, hint: planned });
    expect(applyFaults(planned, state)).toEqual([]);
    return { live: before.live, state };
  }
  const around = contextOf({ kind, name: 'web', gvc: context.gvc }, context.org);
  const result = applyPatch(shapeOf(kind, before.live), before.live, patch.patch, around);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const live = stored(kind, result.record, 2);
  const state = stateOf(kind, live, { ...context, hint: planned });
  expect(applyFaults(planned, state)).toEqual([]);
  return { live, state };
}

/** The next plan shows nothing. */
function expectEmpty(
  kind: CreatableKind,
  config: ObjectValue,
  { live, state }: { live: JsonObject; state: ObjectValue },
) {
  const prior = stateOf(kind, live, { ...context, hint: state });
  const { planned, requiresReplace } = planResource({ kind, config, prior, ...context });
  expect(planned).toEqual(prior);
  expect(requiresReplace).toEqual([]);
  expect(patchFor({ kind, config, prior, live, ...context })).toBeUndefined();
}

describe.each(subjects)('$kind $type', (subject) => {
  const kind = creatable(subject.kind);
  const records = recordsOf(kind, subject.type);

  test('after a creation the plan is empty', () => {
    fc.assert(
      fc.property(records, (record) => {
        const config = configOf(kind, record, context);
        expectEmpty(kind, config, applied(kind, config));
      }),
      { numRuns: 15 },
    );
  });

  test('after an update the plan is empty', () => {
    const changes = fc
      .tuple(records, records)
      .chain(([a, b]) => fc.record({ a: fc.constant(a), b: fc.oneof(fc.constant(b), mixed(a, b).filter(isObject)) }));
    fc.assert(
      fc.property(changes, ({ a, b }) => {
        const [first, second] = [configOf(kind, a, context), configOf(kind, b, context)];
        expectEmpty(kind, second, applied(kind, second, applied(kind, first)));
      }),
      { numRuns: 15 },
    );
  });
});
