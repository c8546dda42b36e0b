import fc from 'fast-check';
import { expect } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt } from '../../src/base/json/json.ts';
import type { Attribute, Attributes } from '../../src/hcl/attribute.ts';
import { ownNames, writeOnly } from '../../src/hcl/schema/ownAttributes.ts';
import { resourceSchema } from '../../src/hcl/schema/providerSchema.ts';
import { attributeOf, isListValue, isObjectValue, type ObjectValue, unknown, type Value } from '../../src/hcl/value.ts';
import { stateOf } from '../../src/hcl/values/stateOf.ts';
import { hiddenField } from '../../src/kinds/kindFacts.ts';
import { normalise } from '../../src/kinds/normalise.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import { applyPatch } from '../../src/patch/applyPatch.ts';
import { stateAfter } from '../../src/provider/changes/changeContext.ts';
import { creationOf, patchFor } from '../../src/provider/plan/patchFor.ts';
import { type PlannedResource, planResource } from '../../src/provider/plan/planResource.ts';
import { type CreatableKind, isCreatableKind, type Kind } from '../../src/schema/record/kinds.ts';
import { contextOf, type RecordContext } from '../../src/schema/record/ref.ts';
import { type AnswerForm, shownRecord } from '../../src/server/records/decisions/shownRecord.ts';
import { context } from '../patch/realRecord.ts';
import { applyFaults, changeFaults, planFaults } from './core.ts';

/** A record on the platform, and its Terraform state. */
export interface Applied {
  readonly live: JsonObject;
  readonly state: ObjectValue;
}

export function creatable(kind: Kind): CreatableKind {
  if (!isCreatableKind(kind)) throw new Error(kind);
  return kind;
}

/** Both forms of the ports of a container: rule W3 refuses this. */
export function isAmbiguous(record: JsonObject): boolean {
  return listAt(objectAt(record, 'spec'), 'containers').some(
    (container) => isObject(container) && Object.hasOwn(container, 'port') && Object.hasOwn(container, 'ports'),
  );
}

/** The context of short links of a record named `web`. */
export function contextIn(kind: Kind): RecordContext {
  return contextOf({ kind, name: 'web', gvc: context.gvc }, context.org);
}

/** The stored record after a write. */
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

/** Without `tags_all`, which the provider adds to a response. */
function recordAttributes(kind: CreatableKind): Attributes {
  const { [ownNames.tagsAll]: _all, ...attributes } = resourceSchema(kind).attributes;
  return attributes;
}

/** A plan that Terraform's core accepts. */
export function planned(kind: CreatableKind, config: ObjectValue, prior: ObjectValue | null): PlannedResource {
  const plan = planResource({ kind, config, prior, ...context });
  expect(planFaults(recordAttributes(kind), prior, config, plan.planned)).toEqual([]);
  return plan;
}

/** Plans and applies as Terraform does, and checks each response as its core does. */
export interface Terraform {
  /** `partial`: the configuration at the time of the plan, with unknown values. */
  apply(config: ObjectValue, before?: Applied, partial?: ObjectValue): Applied;
  refresh(after: Applied): ObjectValue;
  /** The next plan has no changes, and nothing would be sent. */
  expectEmpty(config: ObjectValue, after: Applied): void;
}

/** Terraform on a platform that returns its records in these forms. */
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

/** Reorders attributes of lists, at any depth. */
export function reordered(value: Value): fc.Arbitrary<Value> {
  if (isListValue(value)) {
    const items = fc.tuple(...value.map(reordered));
    return items.chain((each) => fc.shuffledSubarray(each, { minLength: each.length }));
  }
  if (!isObjectValue(value)) return fc.constant(value);
  const members = Object.entries(value).map(([name, member]) => [name, reordered(member)] as const);
  return fc.record(Object.fromEntries(members));
}

export type Path = readonly (string | number)[];

/** The configuration with some unknown values, at any depth, including one that turns out to be absent. */
export function withHoles(kind: CreatableKind, config: ObjectValue): fc.Arbitrary<ObjectValue> {
  const attributes = recordAttributes(kind);
  const isReadOnly = ({ computed, optional }: Attribute): boolean => computed === true && optional !== true;
  const places = Object.entries(attributes).flatMap(([name, attribute]) =>
    isReadOnly(attribute) ? [] : pathsIn(attributeOf(config, name), [name]),
  );
  const isSet = (path: Path): boolean => valueAt(config, path) !== null;
  const set = places.filter(isSet);
  // Only one of the values of a secret may be set.
  const unset = places.filter((path) => !isSet(path) && path[0] !== hiddenField(kind) && path[0] !== writeOnly.data);
  const some = (paths: readonly Path[], least: number, most: number): fc.Arbitrary<readonly Path[]> =>
    fc.subarray([...paths], { minLength: Math.min(least, paths.length), maxLength: Math.min(most, paths.length) });
  return fc
    .tuple(some(set, 1, 3), fc.oneof(fc.constant([]), some(unset, 1, 1)))
    .map(([first, second]) => [...first, ...second].reduce(pierced, config));
}

function pathsIn(value: Value, path: Path): readonly Path[] {
  if (isListValue(value)) return [path, ...value.flatMap((item, index) => pathsIn(item, [...path, index]))];
  if (!isObjectValue(value)) return [path];
  return [path, ...Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...path, name]))];
}

function valueAt(value: Value, path: Path): Value {
  return path.reduce<Value>((at, step) => {
    if (isListValue(at)) return at[Number(step)] ?? null;
    return isObjectValue(at) ? attributeOf(at, String(step)) : null;
  }, value);
}

/** The configuration with an unknown value at this path. */
export function pierced(config: ObjectValue, [step, ...rest]: Path): ObjectValue {
  return Object.fromEntries(
    Object.entries(config).map(([name, member]) => [name, name === step ? piercedValue(member, rest) : member]),
  );
}

function piercedValue(value: Value, path: Path): Value {
  const [step, ...rest] = path;
  if (step === undefined) return unknown;
  if (isListValue(value)) return value.map((item, index) => (index === step ? piercedValue(item, rest) : item));
  return isObjectValue(value) ? pierced(value, path) : value;
}
