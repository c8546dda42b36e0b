import type { DeclarableKind } from '../schema/record/kinds.ts';
import type { SynthOptions } from './declared.ts';
import { type PlanCounts, toBeValid, toHaveResource, toPlan } from './matchers.ts';
import type { PartialManifest } from './partialManifest.ts';
import type { RehearseOptions } from './rehearse.ts';

/** For `expect.extend()` of vitest and jest; `gantry/testing/vitest` and its like do that. */
export const matchers = { toBeValid, toHaveResource, toPlan } as const;

/** The matchers that are added to `expect()`. */
export interface GantryMatchers<R> {
  /**
   * A resource of this kind is declared, or live after `rehearse`, that has all of this: of objects the fields that are
   * named, of lists every item. Values may be `expect.any(String)` and the like. A field that the kind does not have does
   * not compile.
   *
   * @example
   * expect(stack).toHaveResource('workload', { name: 'web', spec: { type: 'serverless' } });
   */
  toHaveResource<Kind extends DeclarableKind>(kind: Kind, partial?: PartialManifest<Kind>, options?: SynthOptions): R;
  /** The declared resources break no rule that needs no platform. */
  toBeValid(options?: SynthOptions): R;
  /**
   * The plan does just this, on a platform of this process which begins with `from`.
   *
   * @example
   * await expect(stack).toPlan({ create: 3 });
   * await expect(stack).toPlan({ patch: 1 }, { from: before });
   */
  toPlan(counts: PlanCounts, options?: RehearseOptions): Promise<R>;
}
