import { becomesReady } from '../../schema/facts/kindFacts.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import { type Action, type Change, plannedAction } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import { waitsUnchanged } from '../model/planState.ts';
import { successionsIn } from './successions.ts';
import { triedCreations } from './triedCreations.ts';

/** Up to so many records are read one by one where one query could read all that the stack owns. */
export const readsOneByOne = 10;

/** Reading a record, deleting it, and seeing that it is gone. */
const deletionRequests = 3;
/** Saying on a record that it is about to be replaced. */
const markingRequests = 1;
/** The lists of what a GVC holds, before it is deleted or loses something: one for each GVC-scoped kind. */
const closureRequests = 3;

/**
 * How many requests the plan needs when nothing has to be repeated and nothing is slow: those of each step, to verify
 * one query for each kind that is touched, for what is unchanged and waited for its record, as long as one page holds
 * the answer, where the platform offers dry runs one for each creation that is tried, and where nobody says that it
 * honours versions, one PATCH for a wrong version before the first real one. Where that shows that it does not, each
 * PATCH needs one read more, which is not counted here: the result says so.
 */
export function countApplyRequests(
  changes: readonly Change[],
  { preconditions, dryRun }: Pick<Plan, 'preconditions' | 'dryRun'> = {},
): number {
  const kinds = new Set(changes.filter((change) => isTouched(change)).map(({ kind }) => kind));
  const unchanged = changes.filter(waitsUnchanged).length;
  const reading = unchanged > readsOneByOne ? 1 : unchanged;
  const asking = preconditions === 'unsaid' && changes.some(sendsPatch) ? 1 : 0;
  const marking = successionsIn(changes).size * markingRequests;
  const trying = dryRun === 'honoured' ? triedCreations(changes).size : 0;
  const steps = changes.reduce((sum, change) => sum + requestsOf(change), 0);
  return steps + marking + trying + kinds.size + asking + reading;
}

const patching: ReadonlySet<Action> = new Set<Action>(['patch', 'adopt', 'forget']);

/** True if carrying it out sends a PATCH. */
export function sendsPatch(change: Change): boolean {
  return patching.has(plannedAction(change)) || change.then !== undefined;
}

function isTouched(change: Change): boolean {
  return plannedAction(change) !== 'keep';
}

function requestsOf(change: Change): number {
  const then = change.then === undefined ? 0 : 1;
  const ready = change.wait && becomesReady(change.kind) ? 1 : 0;
  switch (plannedAction(change)) {
    case 'keep':
      return ready;
    case 'create':
    case 'patch':
    case 'adopt':
    case 'forget':
      return (change.takes === undefined ? 0 : closureRequests) + 1 + then + ready;
    case 'replace':
      return deletionRequests + 1 + then + ready;
    case 'delete':
      if (change.via !== undefined) return 0;
      return deletionRequests + (isContainer(change.kind) ? closureRequests : 0);
  }
}
