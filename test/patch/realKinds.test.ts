import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isArray, isObject, type JsonObject, type JsonValue, own, sameJson } from '../../src/base/json/json.ts';
import { normalise } from '../../src/kinds/normalise.ts';
import { shapeOf } from '../../src/kinds/shapeOf.ts';
import { applyPatch } from '../../src/patch/applyPatch.ts';
import { diff } from '../../src/patch/diff.ts';
import type { Kind } from '../../src/schema/record/kinds.ts';
import type { Shape } from '../../src/schema/shape/shape.ts';
import { runs } from '../harness/sampled.ts';
import { context, mixed, recordsOf, type Subject, subjects } from './realRecord.ts';
import { shortened } from './shortened.ts';

/** A live and a desired record: two different ones, or one and a mixture of both. */
function changes({ kind, type }: Subject) {
  const record = recordsOf(kind, type);
  return fc.tuple(record, record).chain(([a, b]) =>
    fc.record({
      live: fc.boolean().map((newer) => {
        const stored = normalise(kind, a, context);
        return newer ? withUnknown(shapeOf(kind, stored), stored) : stored;
      }),
      desired: fc.oneof(fc.constant(b), mixed(a, b).filter(isObject)),
    }),
  );
}

/** The record on a newer platform: each object has a member that the schema does not contain. */
function withUnknown(shape: Shape, record: JsonObject): JsonObject {
  const made = deepUnknown(shape, record);
  return isObject(made) ? made : record;
}

function deepUnknown(shape: Shape, value: JsonValue): JsonValue {
  if (shape.type === 'list' && isArray(value)) return value.map((item) => deepUnknown(shape.item, item));
  if (shape.type !== 'object' || !isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const field = shape.fields.get(name);
    return [name, field === undefined ? member : deepUnknown(field, member)] as const;
  });
  return { ...Object.fromEntries(members), newer: 'yes' };
}

/** The record with null for some of its absent fields, except `tags`: see `reconcile`. */
function withNulls(shape: Shape, value: JsonValue): JsonValue {
  if (shape.type === 'list' && isArray(value)) return value.map((item) => withNulls(shape.item, item));
  if (shape.type !== 'object' || !isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const field = shape.fields.get(name);
    return [name, field === undefined ? member : withNulls(field, member)] as const;
  });
  const omitted = [...shape.fields.keys()].filter((name) => name !== 'tags' && !Object.hasOwn(value, name)).slice(0, 6);
  return Object.fromEntries([...members, ...omitted.map((name) => [name, null] as const)]);
}

function applied(kind: Kind, live: JsonObject, patch: JsonObject): JsonObject {
  const result = applyPatch(shapeOf(kind, live), live, patch, context);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return normalise(kind, result.record, context);
}

describe.each(subjects)('$kind $type', (subject) => {
  const { kind, type } = subject;
  const modes = fc.constantFrom<'all' | 'stated'>('all', 'stated');

  test('after the patch of a plan the next plan is empty (laws 1 and 3)', () => {
    fc.assert(
      fc.property(changes(subject), modes, ({ live, desired }, directives) => {
        const found = diff(kind, live, desired, { context, directives });
        const after = found === undefined ? live : applied(kind, live, found.patch);
        expect(found === undefined || sameJson(after, found.proof)).toBe(true);
        expect(own(after, 'newer')).toBe(own(live, 'newer'));
        expect(diff(kind, after, desired, { context, directives })).toBeUndefined();
      }),
      { numRuns: runs(200) },
    );
  });

  test('what was created from a manifest does not differ from it, even on a newer platform (law 2)', () => {
    fc.assert(
      fc.property(recordsOf(kind, type), modes, (desired, directives) => {
        const live = normalise(kind, desired, context);
        expect(diff(kind, live, desired, { context, directives })).toBeUndefined();
        const newer = withUnknown(shapeOf(kind, live), live);
        expect(diff(kind, newer, desired, { context, directives })).toBeUndefined();
      }),
      { numRuns: runs(200) },
    );
  });

  test('null means absent (platform/patch.directives)', () => {
    fc.assert(
      fc.property(changes(subject), modes, ({ live, desired }, directives) => {
        const other = withNulls(shapeOf(kind, desired), desired);
        const options = { context, directives };
        const found = isObject(other) ? diff(kind, live, other, options) : undefined;
        expect(found?.patch).toEqual(diff(kind, live, desired, options)?.patch);
      }),
      { numRuns: runs(100) },
    );
  });

  test('no entry of a patch can be spared (law 2)', () => {
    fc.assert(
      fc.property(changes(subject), ({ live, desired }) => {
        const found = diff(kind, live, desired, { context, directives: 'all' });
        for (const shorter of found === undefined ? [] : shortened(found.patch)) {
          const result = isObject(shorter) ? applyPatch(shapeOf(kind, live), live, shorter, context) : undefined;
          if (result?.ok !== true) continue;
          if (sameJson(result.record, found?.target)) expect(shorter).toEqual(found?.patch);
        }
      }),
      { numRuns: runs(100) },
    );
  });
});
