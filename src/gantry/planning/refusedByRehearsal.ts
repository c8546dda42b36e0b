import { ToolError } from '../../base/toolError.ts';
import type { Rehearsal } from '../../rehearsal/rehearsal.ts';

/** Undefined: it was not rehearsed, or nothing was wrong. */
export function refusedByRehearsal(rehearsal: Rehearsal | undefined): ToolError | undefined {
  if (rehearsal?.problem === undefined) return undefined;
  return new ToolError({
    code: 'plan.rehearsal',
    message: 'the plan is refused: it is not consistent in rehearsal',
    hint: 'Correct the differences that the rehearsal lists, or report them.',
  });
}
