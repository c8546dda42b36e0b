import fc from 'fast-check';
import { expect } from 'vitest';
import { applyPatch } from '../../src/patch/apply/applyPatch.ts';
import type { JsonObject } from '../../src/schema/json/json.ts';
import { normalise } from '../../src/schema/normalForm/normalise.ts';
import { contextOf, type RecordContext } from '../../src/schema/record/context.ts';
import { type CreatableKind, isCreatableKind, type Kind } from '../../src/schema/record/kinds.ts';
import { shapeOf } from '../../src/schema/shape/shapeOf.ts';
import type { AnswerForm } from '../../src/server/rules/records/answerForms.ts';
import { shownRecord } from '../../src/server/rules/records/shownRecord.ts';
import { isListValue, isObjectValue, type ObjectValue, unknown, type Value } from '../../src/terraform/model/value.ts';
import { creationOf, patchFor } from '../../src/terraform/plan/patchFor.ts';
import { type PlannedResource, planResource } from '../../src/terraform/plan/planResource.ts';
import { stateAfter } from '../../src/terraform/plan/stateAfter.ts';
import { resourceSchema } from '../../src/terraform/schema/providerSchema.ts';
import { stateOf } from '../../src/terraform/values/stateOf.ts';
import { context } from '../patch/realRecord.ts';
import { applyFaults, changeFaults, planFaults } from './core.ts';

/** A record on the platform, and what Terraform has of it. */
export interface Applied {
  readonly live: JsonObject;
  readonly state: ObjectValue;
}

export function creatable(kind: Kind): CreatableKind {
  if (!isCreatableKind(kind)) throw new Error(kind);
  return kind;
}

/** What short links of a record called `web` are resolved against. */
export function contextIn(kind: Kind): RecordContext {
  return contextOf({ kind, name: 'web', gvc: context.gvc }, context.org);
}

/** What the platform holds after a write. */
export function stored(kind: Kind, record: JsonObject, version: number): JsonObject {
  return {
    ...normalise(kind, record, contextIn(kind)),
    id: 'uid-1',
    version,
    created: '2026-11-20T10:00:00Z',
    lastModified: `2026-11-20T10:00:0${version}Z`,
    status: { phase: 'ready' },
  };
}

/** A plan that Terraform's core accepts. */
export function planned(kind: CreatableKind, config: ObjectValue, prior: ObjectValue | null): PlannedResource {
  const plan = planResource({ kind, config, prior, ...context });
  expect(planFaults(resourceSchema(kind).attributes, prior, config, plan.planned)).toEqual([]);
  return plan;
}

/** Plans and applies as Terraform does, and holds each answer to what it demands. */
export interface Terraform {
  /** `partial`: the configuration at the time of the plan, when not everything was known. */
  apply(config: ObjectValue, before?: Applied, partial?: ObjectValue): Applied;
  refresh(after: Applied): ObjectValue;
  /** The next plan shows nothing, and nothing would be sent. */
  expectEmpty(config: ObjectValue, after: Applied): void;
}

/** Terraform on a platform that shows its records in these forms. */
export function terraformOn(kind: CreatableKind, forms: readonly AnswerForm[]): Terraform {
  const shown = (live: JsonObject): JsonObject =>
    shownRecord(shapeOf(kind, live), live, contextIn(kind), new Set(forms));

  const written = (live: JsonObject, { planned: plan }: PlannedResource): Applied => {
    const state = stateAfter(kind, shown(live), plan ?? {}, context);
    expect(applyFaults(plan, state)).toEqual([]);
    return { live, state };
  };

  const refresh = ({ live, state }: Applied): ObjectValue => stateOf(kind, shown(live), { ...context, hint: state });

  return {
    refresh,

    apply(config, before, partial = config) {
      const prior = before === undefined ? null : refresh(before);
      if (before !== undefined) expect(prior).toEqual(before.state);
      const early = planned(kind, partial, prior);
      const late = planned(kind, config, prior);
      const replaces = early.requiresReplace.length > 0;
      if (!replaces) {
        expect(changeFaults(early.planned, late.planned)).toEqual([]);
        expect(late.requiresReplace).toEqual([]);
      }
      if (prior === null || before === undefined || replaces) {
        const fresh = prior === null ? late : planned(kind, config, null);
        return written(stored(kind, creationOf(kind, config), 1), fresh);
      }
      const patch = patchFor({ kind, config, prior, live: shown(before.live), ...context });
      if (patch === undefined) return written(before.live, late);
      const result = applyPatch(shapeOf(kind, before.live), before.live, patch.patch, contextIn(kind));
      if (!result.ok) throw new Error(JSON.stringify(result.problems));
      return written(stored(kind, result.record, 2), late);
    },

    expectEmpty(config, after) {
      const prior = refresh(after);
      const plan = planned(kind, config, prior);
      expect(plan.planned).toEqual(prior);
      expect(plan.requiresReplace).toEqual([]);
      expect(patchFor({ kind, config, prior, live: shown(after.live), ...context })).toBeUndefined();
    },
  };
}

type Path = readonly (string | number)[];

/** The configuration with some of its values unknown, at any depth. */
export function withHoles(config: ObjectValue): fc.Arbitrary<ObjectValue> {
  const places = pathsIn(config, []);
  return fc
    .subarray([...places], { minLength: Math.min(1, places.length), maxLength: Math.min(3, places.length) })
    .map((paths) => paths.reduce<Value>((value, path) => pierced(value, path), config))
    .map((value) => (isObjectValue(value) ? value : config));
}

function pathsIn(value: Value, path: Path): readonly Path[] {
  const here = path.length === 0 || value === null ? [] : [path];
  if (isListValue(value)) {
    // A list of texts is one value to Terraform: what it means is not known before all of it is.
    return [...here, ...value.flatMap((item, index) => (isObjectValue(item) ? pathsIn(item, [...path, index]) : []))];
  }
  if (!isObjectValue(value)) return here;
  return [...here, ...Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...path, name]))];
}

function pierced(value: Value, [step, ...rest]: Path): Value {
  if (step === undefined) return unknown;
  if (isListValue(value)) return value.map((item, index) => (index === step ? pierced(item, rest) : item));
  if (!isObjectValue(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === step ? pierced(member, rest) : member]),
  );
}
