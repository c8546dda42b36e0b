import type { ApplyEvent, ApplyResult } from '../../apply/report/events.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { Planned } from '../planning/planFromPlatform.ts';
import type { Platform } from '../platform/platform.ts';

/** A plan, and how to plan a resource of it again. */
export interface RunnablePlan extends Pick<Planned, 'plan' | 'replan' | 'desired'> {
  /** Of a plan that is taken up again: as it was approved, for the reader. `plan` is what is left of it. */
  readonly shown?: Plan;
  /** Plans everything again from what is live by then, to verify a run; of a saved plan: what is left of it. */
  readonly planAgain: () => Promise<Plan>;
}

/** How a plan is run. */
export interface RunOptions {
  /** Aborted: nothing new is started, and what is in flight is finished. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: ApplyEvent) => void) | undefined;
  /** Changes that are worked on at the same time. @default as many as the platform bears, at most 64 */
  readonly parallelism?: number | undefined;
  /** How long to wait for a workload to become ready, in milliseconds. @default 5 minutes */
  readonly waitTimeoutMs?: number | undefined;
  /** What is compared after the run: the versions of what was written, or by planning everything again. */
  readonly verify?: 'written' | 'full' | undefined;
}

/** Runs a plan. Rejects with `plan.refused` where it is refused; what fails is in the result. */
export async function runPlanned(
  { plan, replan, planAgain }: RunnablePlan,
  { client, clock }: Platform,
  { signal, onEvent, parallelism, waitTimeoutMs, verify }: RunOptions,
): Promise<ApplyResult> {
  const [{ runApply }, { auditTrail }] = await Promise.all([
    import('../../apply/runApply.ts'),
    import('../../client/auditTrail.ts'),
  ]);
  const result = await runApply(plan, client, {
    ...(signal === undefined ? {} : { signal }),
    ...(onEvent === undefined ? {} : { onEvent }),
    ...(clock === undefined ? {} : { clock }),
    ...(parallelism === undefined ? {} : { concurrency: parallelism }),
    stopRetrying: () => client.stopRetrying(),
    replan,
    patience: waitTimeoutMs === undefined ? {} : { readinessMs: waitTimeoutMs },
    writesOf: auditTrail(client),
  });
  if (verify !== 'full') return result;
  const { verifyFull } = await import('./verifyFull.ts');
  return verifyFull(result, planAgain);
}
