import { createHash } from 'node:crypto';
import { present } from '../../base/json/present.ts';
import type { StackNote } from '../../integrations/notification.ts';
import { planNote } from '../../integrations/postNotification.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { RunOutcomeName, Storage } from '../model.ts';

/**
 * The changes by others. `digest`: of the affected resources, to report the same ones once; empty if there are none.
 */
export function driftOf({ changes }: Plan): { readonly count: number; readonly digest: string } {
  const ids = changes.filter(isDrift).map(({ id }) => id);
  const digest = ids.length === 0 ? '' : createHash('sha256').update(ids.toSorted().join('\n')).digest('hex');
  return { count: ids.length, digest };
}

/** The facts about a plan for notifications. */
export function noteOf(plan: Plan): StackNote {
  const { count } = driftOf(plan);
  return { ...planNote(plan), ...present({ drifted: count === 0 ? undefined : count }) };
}

function isDrift({ cause, action }: Plan['changes'][number]): boolean {
  return action !== 'keep' && (cause?.others !== undefined || cause?.platform === true) && cause.code !== true;
}

/** The storage that the stack reserves after the run. */
export function storageOf({ storage }: Plan, outcome: RunOutcomeName): Storage {
  if (storage === undefined) return { gb: 0 };
  const { currency } = storage;
  const { gb, cost } = outcome === 'applied' ? storage.after : storage.before;
  return { gb, ...(cost === undefined || currency === undefined ? {} : { cost, currency }) };
}
