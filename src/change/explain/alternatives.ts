import { type JsonObject, sameJson } from '../../base/json/json.ts';
import { alternatives, type Choice, type Way } from '../../patch/write/alternatives.ts';
import { type Directives, writePatch } from '../../patch/write/writePatch.ts';
import { withoutFields } from '../../plan/record/shapeFacts.ts';
import type { RecordContext } from '../../schema/record/ref.ts';
import { holdsSensitive } from '../../schema/shape/anywhere.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import type { ExplainedChoice, ExplainedWay } from './explanation.ts';
import { withTagsOf } from './proof.ts';

interface Weighing {
  readonly context: RecordContext;
  readonly directives: Directives;
  /** False if the length of a patch would reveal the length of a marked value. */
  readonly lengths: boolean;
}

/** The alternatives that were weighed for each PATCH: `states` are the live record and what it is after each. */
export function alternativesOf(
  shape: ObjectShape,
  states: readonly JsonObject[],
  options: Weighing,
): readonly ExplainedChoice[] {
  return states.slice(1).flatMap((target, step) => {
    const before = states[step] ?? {};
    const found = alternatives(shape, before, withTagsOf(target, before), options);
    return found.map((choice) => explained(choice, step > 0, options.lengths));
  });
}

/**
 * Are the patches the ones that comparison alone gives? Not if a smaller one failed its proof, or if an unreadable
 * secret is written whole; nothing is said about records with secrets.
 */
export function isAsWeighed(
  shape: ObjectShape,
  states: readonly JsonObject[],
  patches: readonly JsonObject[],
  options: Omit<Weighing, 'lengths'>,
): boolean {
  if (holdsSensitive(shape)) return true;
  return patches.every((patch, step) => {
    const [before, target] = [states[step] ?? {}, states[step + 1] ?? {}];
    const written = writePatch(shape, before, withTagsOf(target, before), options) ?? {};
    return sameJson(written, withoutFields(patch, [['id'], ['version'], ['tags']]));
  });
}

function explained(
  { path, shape, chosen, rejected, impossible }: Choice,
  then: boolean,
  lengths: boolean,
): ExplainedChoice {
  const hidden = !lengths || holdsSensitive(shape);
  const way = ({ entries, leaves, bytes }: Way): ExplainedWay => ({
    entries: entries.map(({ key }) => key),
    leaves,
    ...(hidden ? {} : { bytes }),
  });
  return {
    path,
    ...(then ? { then } : {}),
    chosen: way(chosen),
    rejected: rejected.map(way),
    impossible,
  };
}
