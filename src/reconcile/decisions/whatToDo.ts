import { isOpen, windowsText } from '../../plan/checks/refusePlan.ts';
import type { Limits, TimeWindow } from '../../plan/model/limits.ts';
import type { Mode, StackEntry } from '../model.ts';

/** The facts about a plan that decide how it continues. */
export interface PlanFacts {
  readonly isEmpty: boolean;
  /** The reasons why it must not run, now or ever. */
  readonly refusals: readonly { readonly code: string; readonly message: string }[];
  /** The number of approvals that limits and `signers` demand, each signed with a key. */
  readonly demandedApprovals: number;
  readonly windows: readonly TimeWindow[] | undefined;
  readonly heldBy: string | undefined;
  readonly nowMs: number;
}

export type Decision =
  | { readonly do: 'nothing' }
  | { readonly do: 'report'; readonly because: string }
  /** `blocked`: the reason why approvals do not help. */
  | { readonly do: 'propose'; readonly needed: number; readonly signed: boolean; readonly blocked?: string }
  | { readonly do: 'wait'; readonly because: string }
  | { readonly do: 'apply' }
  | { readonly do: 'fail'; readonly code: string; readonly message: string };

/** The decision on a plan. For a plan that needs approval, the caller then looks for its approvals by name. */
export function whatToDo(mode: Mode, facts: PlanFacts): Decision {
  const { isEmpty, refusals, demandedApprovals } = facts;
  if (isEmpty) return { do: 'nothing' };
  const isDetected = mode === 'detect';
  const exceeded = refusals.filter(({ code }) => code.startsWith('limit.') && !isMet(code));
  const other = refusals.find(({ code }) => !code.startsWith('limit.'));
  if (other !== undefined && !isDetected) return { do: 'fail', code: other.code, message: other.message };
  if (isDetected) return { do: 'report', because: 'it is only looked at (mode: detect)' };
  const needed = Math.max(mode === 'propose' || exceeded.length > 0 ? 1 : 0, demandedApprovals);
  if (exceeded.length > 0) {
    const blocked = exceeded.map(({ message }) => message).join('; ');
    return { do: 'propose', needed, signed: demandedApprovals > 0, blocked };
  }
  if (needed > 0) return { do: 'propose', needed, signed: demandedApprovals > 0 };
  return mayWriteNow(facts);
}

/** Whether an approval, a signature, or a later time satisfies the limit. */
function isMet(code: string): boolean {
  return code === 'limit.approvals' || code === 'limit.signature' || code === 'limit.window';
}

/** The decision on a permitted plan: to apply it now, or to wait for other stacks or for a window. */
export function mayWriteNow({
  windows,
  heldBy,
  nowMs,
  refusals,
}: Pick<PlanFacts, 'windows' | 'heldBy' | 'nowMs' | 'refusals'>): Decision {
  if (heldBy !== undefined) return { do: 'wait', because: heldBy };
  if (windows !== undefined && !windows.some((window) => isOpen(window, nowMs)))
    return { do: 'wait', because: `it is applied ${windowsText(windows)}` };
  const closed = refusals.find(({ code }) => code === 'limit.window');
  return closed === undefined ? { do: 'apply' } : { do: 'wait', because: closed.message };
}

/** If a signature of the planner is demanded but there is no key, the plan waits. */
export function signedIfAsked(decision: Decision, isAsked: boolean, hasKey: boolean): Decision {
  if (!isAsked || (decision.do !== 'apply' && decision.do !== 'propose')) return decision;
  const proposed = decision.do === 'apply' ? { do: 'propose' as const, needed: 0, signed: false } : decision;
  if (hasKey) return proposed;
  return { ...proposed, blocked: 'only a signed plan can be applied, and the worker has no key (--sign)' };
}

/** Whether limits demand a rehearsal. */
export function asksRehearsal(limits: readonly Limits[]): boolean {
  return limits.some(({ rehearsal }) => rehearsal !== undefined);
}

const firstBackOffMs = 15_000;

/** The time of the next run. `failures`: in a row, including this run. `random`: in [0, 1). */
export function nextRunMs(
  { intervalMs, jitterMs }: Pick<StackEntry, 'intervalMs' | 'jitterMs'>,
  { nowMs, failures, random }: { readonly nowMs: number; readonly failures: number; readonly random: number },
): number {
  const waitMs = failures === 0 ? intervalMs : Math.min(intervalMs, firstBackOffMs * 2 ** Math.min(failures - 1, 16));
  return Math.round(nowMs + waitMs + jitterMs * random);
}
