import { AssertionError } from 'node:assert';
import type { NewPlan } from '../automation.ts';
import type { DeclarableKind } from '../schema/record/kinds.ts';
import type { Declaration, SynthOptions } from './declared.ts';
import { type PlanCounts, toBeValid, toHaveResource, toPlan, type Verdict } from './matchers.ts';
import type { PartialManifest } from './partialManifest.ts';
import type { Rehearsed, RehearseOptions } from './rehearse.ts';

// For `node:test`, and for any other runner: each throws an `AssertionError` of `node:assert`.

/** A resource of this kind is declared, or live after a rehearsal, that has all of this. */
export function assertHasResource<Kind extends DeclarableKind>(
  subject: Declaration | Rehearsed,
  kind: Kind,
  partial?: PartialManifest<Kind>,
  options?: SynthOptions,
): void {
  assertPass(toHaveResource(subject, kind, partial, options), assertHasResource);
}

/** No resource of this kind has all of this. */
export function assertNoResource<Kind extends DeclarableKind>(
  subject: Declaration | Rehearsed,
  kind: Kind,
  partial?: PartialManifest<Kind>,
  options?: SynthOptions,
): void {
  const verdict = toHaveResource(subject, kind, partial, options);
  assertPass({ ...verdict, pass: !verdict.pass }, assertNoResource);
}

/** There is no error in what is declared. */
export function assertValid(declaration: Declaration, options?: SynthOptions): void {
  assertPass(toBeValid(declaration, options), assertValid);
}

/** The plan does just this. Of a stack it is made on a platform of this process, which begins with `from`. */
export async function assertPlan(
  subject: Declaration | Rehearsed | NewPlan,
  counts: PlanCounts,
  options?: RehearseOptions,
): Promise<void> {
  assertPass(await toPlan(subject, counts, options), assertPlan);
}

function assertPass({ pass, message, actual, expected }: Verdict, caller: (...args: never[]) => unknown): void {
  if (pass) return;
  throw new AssertionError({ message: message(), actual, expected, operator: caller.name, stackStartFn: caller });
}
