import { expect } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { type ReconcileOptions, reconcile } from '../../../src/patch/reconcile.ts';
import { Recorder } from '../../../src/patch/recorder.ts';
import type { ObjectShape } from '../../../src/schema/shape/shape.ts';
import { context, scalar, withFacts } from '../toyShape.ts';

/** The desired result for a live record. */
export interface Case {
  readonly it: string;
  readonly live: JsonObject;
  readonly desired: JsonObject;
  /** Absent if nothing differs, and the same object is returned. */
  readonly target?: JsonObject;
  readonly ignore?: readonly string[];
  /** The paths that this stack set in an earlier write. */
  readonly set?: readonly string[];
}

export function check(shape: ObjectShape, { live, desired, target, ignore, set }: Case): void {
  const options: ReconcileOptions = {
    context,
    ...(ignore === undefined ? {} : { ignore }),
    ...(set === undefined ? {} : { wasSet: (path) => set.includes(path) }),
  };
  const found = reconcile(shape, live, desired, options).target;
  if (target === undefined) expect(found).toBe(live);
  else expect(found).toStrictEqual(target);
  // With a recorder the target is the same, and nothing is said to differ if it is the live record.
  const recorder = new Recorder();
  expect(reconcile(shape, live, desired, { ...options, recorder }).target).toStrictEqual(found);
  if (found === live) expect(recorder.verdicts.filter(({ why }) => why === 'differs')).toEqual([]);
}

/** Fields of each fill class. */
export const service = withFacts(scalar, { fill: 'service' });
export const seven = withFacts(scalar, { fill: 'constant', default: 7 });
export const named = withFacts(scalar, { fill: 'derived', derive: 'name' });
export const switched = withFacts(scalar, { fill: 'operational', default: false });
