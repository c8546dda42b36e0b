import { becomesReady } from '../../kinds/kindFacts.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import { type Action, type Change, plannedAction } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import { isKeptAsDeclared, waitsUnchanged } from '../model/planState.ts';
import { successionsIn } from './successions.ts';
import { triedCreations } from './triedCreations.ts';

/** Up to so many records are read one by one where one query could read all that the stack owns. */
export const readsOneByOne = 10;

/** Reading a record, deleting it, and seeing that it is gone. */
const deletionRequests = 3;
/** Marking a record that is about to be replaced. */
const markingRequests = 1;
/** Lists of the content of a GVC before it is deleted or loses something: one for each GVC-scoped kind. */
const closureRequests = 3;

/**
 * The number of requests that the plan needs if nothing has to be repeated: those of each step; to verify, one query
 * for each kind of what is changed or declared, as long as one page is enough; one for each value that is known only then; for unchanged resources that are waited
 * for, their record; one for each creation that is tried by a dry run; and, if it is not known whether the platform honours versions, one PATCH to
 * find out. If it does not, each PATCH needs one more read, which is not counted here: the result reports it.
 */
export function countApplyRequests(
  changes: readonly Change[],
  { preconditions, dryRun }: Pick<Plan, 'preconditions' | 'dryRun'> = {},
): number {
  const verified = changes.some(isTouched)
    ? changes.filter((change) => isTouched(change) || isKeptAsDeclared(change))
    : [];
  const kinds = new Set(verified.map(({ kind }) => kind));
  const unchanged = changes.filter(waitsUnchanged).length;
  const reading = unchanged > readsOneByOne ? 1 : unchanged;
  const asking = preconditions === 'unsaid' && changes.some(sendsPatch) ? 1 : 0;
  const marking = successionsIn(changes).size * markingRequests;
  const trying = dryRun === 'honoured' ? triedCreations(changes).size : 0;
  const steps = changes.reduce((sum, change) => sum + requestsOf(change), 0);
  const awaited = changes.reduce(
    (sum, { awaits = [], action }) => sum + awaits.length + (awaits.length > 0 && patching.has(action) ? 1 : 0),
    0,
  );
  return steps + marking + trying + kinds.size + asking + reading + awaited;
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
