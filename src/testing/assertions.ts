import { AssertionError } from 'node:assert';
import type { NewPlan } from '../automation.ts';
import type { DeclarableKind } from '../schema/record/kinds.ts';
import type { Declaration, SynthOptions } from './declared.ts';
import { type PlanCounts, toBeValid, toHaveResource, toPlan, type Verdict } from './matchers.ts';
import type { PartialManifest } from './partialManifest.ts';
import type { Rehearsed, RehearseOptions } from './rehearse.ts';

// For `node:test`, and for any other runner: each throws an `AssertionError` of `node:assert`.

/** A resource of this kind with all of this is declared, or live after a rehearsal. */
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

/** The declaration has no error. */
export function assertValid(declaration: Declaration, options?: SynthOptions): void {
  assertPass(toBeValid(declaration, options), assertValid);
}

/** The plan has exactly these changes. For a stack it is made on a platform in this process that starts with `from`. */
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
