import type { JsonObject } from '../base/json/json.ts';
import { normalise } from '../schema/normalForm/normalise.ts';
import type { Kind } from '../schema/record/kinds.ts';
import { shapeOf } from '../schema/shape/shapeOf.ts';
import { firstProven } from './firstProven.ts';
import { leadsTo } from './proof.ts';
import { type ReconcileOptions, reconcile } from './reconcile/reconcile.ts';
import type { Directives } from './write/writeOptions.ts';
import { writersOf } from './writers.ts';

export interface DiffOptions extends ReconcileOptions {
  readonly directives: Directives;
  /** Paths that the schema does not know and that the manifest sets all the same: they are managed like others. */
  readonly untyped?: readonly string[];
  /** Called with each thing to report that is not changed, also when nothing differs (operational drift). */
  readonly report?: (note: string) => void;
}

export interface Diff {
  /** The body of the PATCH, without `id` and `version`. */
  readonly patch: JsonObject;
  /** The whole record that `live` should become. */
  readonly target: JsonObject;
  /** What the platform stores then: the target in normal form. */
  readonly proof: JsonObject;
}

/**
 * The smallest patch from the live record to what is declared, with its proof: applied by the reference semantics it
 * yields the target, modulo `normalise`. Undefined when nothing differs.
 *
 * @throws {ToolError} `patch.inexpressible`, see `writePatch`.
 * @throws {Error} if no patch proves, which is our own mistake.
 */
export function diff(kind: Kind, live: JsonObject, desired: JsonObject, options: DiffOptions): Diff | undefined {
  const shape = shapeOf(kind, live);
  const { target, notes } = reconcile(shape, live, desired, options);
  for (const note of notes) options.report?.(note);
  if (target === live) return undefined;

  const proof = normalise(kind, target, options.context);
  const patch = firstProven(
    writersOf(shape, live, target, options),
    (written) => leadsTo(proof, kind, live, written, options.context),
    `no patch of this ${kind} leads to what is declared`,
  );
  return patch === undefined ? undefined : { patch, target, proof };
}
