import { alternatives, type Choice, type Way } from '../../patch/alternatives.ts';
import { holdsSensitive } from '../../patch/mask.ts';
import type { RecordContext } from '../../schema/context.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { ObjectShape } from '../../schema/shape.ts';
import type { ExplainedChoice, ExplainedWay } from './explanation.ts';
import { withTagsOf } from './proof.ts';

/** What was weighed for each PATCH: `states` are the live record and what it is after each. */
export function choicesOf(
  shape: ObjectShape,
  states: readonly JsonObject[],
  options: { readonly context: RecordContext; readonly directives: 'all' | 'stated' },
): readonly ExplainedChoice[] {
  return states.slice(1).flatMap((target, step) => {
    const before = states[step] ?? {};
    const found = alternatives(shape, before, withTagsOf(target, before), options);
    return found.map((choice) => explained(choice, step > 0));
  });
}

function explained({ path, shape, chosen, rejected, impossible }: Choice, then: boolean): ExplainedChoice {
  const hidden = holdsSensitive(shape);
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
