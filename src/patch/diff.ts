import { type JsonObject, own, sameJson } from '../base/json/json.ts';
import { normalise } from '../kinds/normalise.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { Kind } from '../schema/record/kinds.ts';
import type { RecordContext } from '../schema/record/ref.ts';
import type { ObjectShape } from '../schema/shape/shape.ts';
import { applyPatch } from './applyPatch.ts';
import { type ReconcileOptions, reconcile } from './reconcile.ts';
import { type Directives, mayReplace, type WriteOptions, writePatch } from './writePatch.ts';

interface DiffOptions extends ReconcileOptions {
  readonly directives: Directives;
  /** Paths unknown to the schema that the manifest sets anyway: they are managed like others. */
  readonly untyped?: readonly string[];
  /** Called with each finding that is reported but not changed, even if nothing differs (operational drift). */
  readonly report?: (note: string) => void;
}

export interface Diff {
  /** The body of the PATCH, without `id` and `version`. */
  readonly patch: JsonObject;
  /** The whole record that `live` should become. */
  readonly target: JsonObject;
  /** The record that the platform then stores: the target in normal form. */
  readonly proof: JsonObject;
}

/**
 * The smallest patch from the live record to the declared one, with its proof: applied by the reference semantics it
 * yields the target, modulo `normalise`. Undefined if nothing differs.
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
    (written) => leadsTo(proof, { kind, live, context: options.context }, written),
    `no patch of this ${kind} leads to what is declared`,
  );
  return patch === undefined ? undefined : { patch, target, proof };
}

/** The ways to write the patch between two records, from the smallest to the most robust. */
export function writersOf(
  shape: ObjectShape,
  live: JsonObject,
  target: JsonObject,
  options: WriteOptions,
): readonly Writer[] {
  const asGiven = (): JsonObject | undefined => writePatch(shape, live, target, options);
  if (!mayReplace(options.directives)) return [asGiven];
  return [
    asGiven,
    ...(options.directives === 'all'
      ? [() => writePatch(shape, live, target, { ...options, directives: 'stated' })]
      : []),
    () => replaceFields(live, target),
  ];
}

/** Writes every differing top-level field as a whole: longer than any other patch, but correct for every record. */
export function replaceFields(live: JsonObject, target: JsonObject): JsonObject | undefined {
  const dropped = Object.keys(live).filter((name) => !Object.hasOwn(target, name));
  const replaced = Object.entries(target).filter(([name, value]) => !sameJson(own(live, name), value));
  if (dropped.length + replaced.length === 0) return undefined;
  return {
    ...(dropped.length === 0 ? {} : { $drop: dropped }),
    ...Object.fromEntries(replaced.map(([name, value]) => [`$replace/${name}`, value])),
  };
}

/** A patch, or undefined if there is nothing to change. */
export type Writer = () => JsonObject | undefined;

/**
 * The patch of the first writer whose patch proves; undefined if that writer has nothing to change. A writer is called
 * only after the previous ones failed.
 *
 * @throws {Error} `failure`, if no patch proves.
 */
export function firstProven(
  writers: readonly Writer[],
  proves: (patch: JsonObject) => boolean,
  failure: string,
): JsonObject | undefined {
  for (const write of writers) {
    const patch = write();
    if (patch === undefined || proves(patch)) return patch;
  }
  throw new Error(failure);
}

/** The record that a patch is for. */
interface Patched {
  readonly kind: Kind;
  readonly live: JsonObject;
  readonly context: RecordContext;
}

/** Whether the patch, by the reference semantics, turns the live record into one whose normal form is `proof`. */
export function leadsTo(proof: JsonObject, { kind, live, context }: Patched, patch: JsonObject): boolean {
  const applied = applyPatch(shapeOf(kind, live), live, patch, context);
  return applied.ok && sameJson(normalise(kind, applied.record, context), proof);
}
