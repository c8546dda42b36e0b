import { suggest } from '../base/text/suggest.ts';
import { available } from '../base/text/suggestion.ts';
import { ToolError } from '../base/toolError.ts';
import type { Change } from '../plan/model/change.ts';
import type { Plan } from '../plan/model/plan.ts';
import type { ResourceId } from '../schema/record/ref.ts';

/** Finds the change with this id. Errors: as `notInPlan`. */
export function findChange({ changes }: Plan, word: ResourceId): Change {
  const found = changes.find(({ id }) => id === word);
  if (found === undefined) throw notInPlan(changes, word);
  return found;
}

/**
 * `explain.along` for a resource that is only deleted with another one, `explain.unknown-resource` for anything else
 * that is not in the plan, with the nearest id.
 */
export function notInPlan(changes: readonly Change[], word: ResourceId): ToolError {
  const deletedAlong = changes.find(({ cascadesTo }) => cascadesTo.includes(word));
  if (deletedAlong !== undefined) {
    return new ToolError({
      code: 'explain.along',
      message: `${word} does not belong to this stack: the platform would delete it along with ${deletedAlong.id}`,
      hint: `Explain ${deletedAlong.id}.`,
    });
  }
  const ids = changes.map(({ id }) => id);
  const near = nearestId(word, ids);
  const all = ids.length <= mostListed ? ` ${available(ids)}` : '';
  return new ToolError({
    code: 'explain.unknown-resource',
    message: `${word} is not in the plan: it is neither declared nor owned by this stack`,
    hint: `${near === undefined ? 'Write kind/[gvc/]name, as in the plan.' : `Did you mean ${near}?`}${all}`,
  });
}

/** Longer lists do not help. */
const mostListed = 12;

/** The id with the same last part, or else the nearest spelling. */
function nearestId(word: string, ids: readonly ResourceId[]): ResourceId | undefined {
  const last = word.slice(word.lastIndexOf('/') + 1);
  const named = ids.filter((id) => id.slice(id.lastIndexOf('/') + 1) === last);
  return named.length === 1 ? named[0] : suggest(word, ids);
}
