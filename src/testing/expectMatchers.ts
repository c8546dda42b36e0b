import type { DeclarableKind } from '../schema/record/kinds.ts';
import type { SynthOptions } from './declared.ts';
import { type PlanCounts, toBeValid, toHaveResource, toPlan } from './matchers.ts';
import type { PartialManifest } from './partialManifest.ts';
import type { RehearseOptions } from './rehearse.ts';

/** For `expect.extend()` of vitest and jest, which `gantry/testing/vitest` and similar entries call. */
export const matchers = { toBeValid, toHaveResource, toPlan } as const;

/** The matchers that are added to `expect()`. */
export interface GantryMatchers<R> {
  /**
   * A resource of this kind with all of this is declared, or live after `rehearse`: of objects the given fields are
   * compared, of lists every item. Values may be `expect.any(String)` and the like. A field that the kind does not have
   * does not compile.
   *
   * @example
   * expect(stack).toHaveResource('workload', { name: 'web', spec: { type: 'serverless' } });
   */
  toHaveResource<Kind extends DeclarableKind>(kind: Kind, partial?: PartialManifest<Kind>, options?: SynthOptions): R;
  /** The declared resources satisfy all rules that need no platform. */
  toBeValid(options?: SynthOptions): R;
  /**
   * The plan has exactly these changes, on a platform in this process that starts with `from`.
   *
   * @example
   * await expect(stack).toPlan({ create: 3 });
   * await expect(stack).toPlan({ patch: 1 }, { from: before });
   */
  toPlan(counts: PlanCounts, options?: RehearseOptions): Promise<R>;
}
