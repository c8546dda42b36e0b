import type { Change } from './plan.ts';

/** Reading a record, deleting it, and seeing that it is gone. */
const deletionRequests = 3;
/** The lists of what a GVC holds: one for each GVC-scoped kind. */
const closureRequests = 3;

/** How many requests the plan needs when nothing has to be repeated: one for each step, and one to verify. */
export function countApplyRequests(changes: readonly Change[]): number {
  const requests = changes.reduce((sum, change) => sum + requestsOf(change), 0);
  return requests === 0 ? 0 : requests + 1;
}

function requestsOf(change: Change): number {
  const then = change.then === undefined ? 0 : 1;
  switch (change.intended ?? change.action) {
    case 'keep':
    case 'refuse':
      return 0;
    case 'create':
    case 'patch':
    case 'adopt':
    case 'forget':
      return 1 + then;
    case 'replace':
      return deletionRequests + 1 + then;
    case 'delete':
      if (change.via !== undefined) return 0;
      return deletionRequests + (change.kind === 'gvc' ? closureRequests : 0);
  }
}
