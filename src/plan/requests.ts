import type { Change } from './plan.ts';

/** Reading a record, deleting it, and seeing that it is gone. */
const deletionRequests = 3;
/** The lists of what a GVC holds: one for each GVC-scoped kind. */
const closureRequests = 3;

/**
 * How many requests the plan needs when nothing has to be repeated and nothing is slow: those of each step, and to
 * verify one query for each kind that is touched, as long as one page holds the answer.
 */
export function countApplyRequests(changes: readonly Change[]): number {
  const kinds = new Set(changes.filter((change) => isTouched(change)).map(({ kind }) => kind));
  return changes.reduce((sum, change) => sum + requestsOf(change), 0) + kinds.size;
}

function isTouched(change: Change): boolean {
  const action = change.intended ?? change.action;
  return action !== 'keep' && action !== 'refuse';
}

function requestsOf(change: Change): number {
  const then = change.then === undefined ? 0 : 1;
  const ready = change.wait && change.kind === 'workload' ? 1 : 0;
  switch (change.intended ?? change.action) {
    case 'keep':
    case 'refuse':
      return 0;
    case 'create':
    case 'patch':
    case 'adopt':
    case 'forget':
      return 1 + then + ready;
    case 'replace':
      return deletionRequests + 1 + then + ready;
    case 'delete':
      if (change.via !== undefined) return 0;
      return deletionRequests + (change.kind === 'gvc' ? closureRequests : 0);
  }
}
