import type { ApplyEvent, ApplyResult } from '../../apply/events.ts';
import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Output } from '../../manifest/model/manifest.ts';
import type { Refusal } from '../../plan/model/change.ts';
import { isEmptyPlan, type Plan } from '../../plan/model/plan.ts';
import { refusedPlan } from '../../plan/model/refusal.ts';
import type { Platform } from '../../project/platform/platform.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import type { Planned } from '../loading/planFromPlatform.ts';

/** A plan, and how to plan one of its resources again. */
export interface RunnablePlan extends Pick<Planned, 'plan' | 'replan' | 'desired'> {
  /** The reason found at planning why it must not run. */
  readonly refused: ToolError | undefined;
  /** The outputs of its stack. Absent for a saved plan, where they are not known. */
  readonly outputs?: readonly Output[];
  readonly options?: Pick<Planned['options'], 'destroys'>;
  /** The snapshot that it was made from; a saved plan has `planned` instead. */
  readonly snapshot?: Planned['snapshot'];
  /** The records that it was made from, by id. */
  readonly planned?: ReadonlyMap<ResourceId, LiveResource>;
  /** Plans everything again from the live state, to verify a run; for a saved plan returns its remaining changes. */
  readonly planAgain: (platform: Platform) => Promise<Plan>;
  /**
   * Refusals by limits at this moment, although the plan was permitted when it was made, such as a closed window.
   * Called before the first write, and again during the run. Errors: those of signatures, which may have expired.
   */
  readonly refusedNow: () => readonly Refusal[] | Promise<readonly Refusal[]>;
}

export interface RunOptions {
  /** When aborted, no change is started, and those in flight are finished. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: ApplyEvent) => void) | undefined;
  /** Number of concurrent changes. @default as many as the platform bears, at most 64 */
  readonly parallelism?: number | undefined;
  /** How long to wait for a workload to become ready, in milliseconds. @default 5 minutes */
  readonly waitTimeoutMs?: number | undefined;
  /** How long to repeat reads that are older than a write, in milliseconds. @default that of gantry.yaml or the environment, else 10 seconds */
  readonly consistencyTimeoutMs?: number | undefined;
  /** The base of relative paths in outputs. @default the folder of this process */
  readonly folder?: string | undefined;
  /** How the run is verified: by the versions of the written records, or by planning everything again. */
  readonly verify?: 'written' | 'full' | undefined;
}

/** How long a result of `refusedNow` is reused for further writes. */
const answerReuseMs = 1_000;

/** Runs a plan. Rejects with `plan.refused` if it is refused, also if only now; the result contains failures. */
export async function runPlanned(
  { plan, replan, desired, options, planAgain, refusedNow, snapshot, planned = snapshot?.resources }: RunnablePlan,
  platform: Platform,
  {
    signal,
    onEvent,
    parallelism,
    waitTimeoutMs,
    consistencyTimeoutMs = platform.consistencyTimeoutMs,
    verify,
    folder = '.',
  }: RunOptions,
): Promise<ApplyResult> {
  const { client, clock } = platform;
  const [{ runApply }, { auditTrail }, { keepingShown }, { SaveFiles }] = await Promise.all([
    import('../../apply/runApply.ts'),
    import('../../client/auditTrail.ts'),
    import('../../client/keepingShown.ts'),
    import('./saveShown.ts'),
  ]);
  const refusals = isEmptyPlan(plan) ? [] : await refusedNow();
  const refused = refusedPlan({ ...plan, changes: [], refusals });
  if (refused !== undefined) throw refused;
  const declared = new Set(desired.map(({ id }) => id));
  const keepingClient = keepingShown(client);
  const files = await SaveFiles.open(plan.saves ?? [], folder);
  const applied = await runApply(plan, keepingClient, {
    refusedNow: sharedAnswer(refusedNow),
    ...present({ signal, onEvent, clock, concurrency: parallelism }),
    stopRetrying: () => client.stopRetrying(),
    replan,
    ...(planned === undefined ? {} : { planned: (id) => planned.get(id) }),
    declares: (id) => declared.has(id),
    endsEmpty: options?.destroys === true,
    patience: {
      ...present({ readinessMs: waitTimeoutMs, consistencyMs: consistencyTimeoutMs }),
    },
    writesOf: auditTrail(client),
  }).catch(async (error: unknown) => {
    await files.removeEmpty();
    throw error;
  });
  const result = await files.write(keepingClient, applied, () => signal?.aborted === true);
  if (verify !== 'full') return result;
  const { verifyFull } = await import('./verifyFull.ts');
  return verifyFull(result, () => planAgain(platform));
}

/**
 * Reuses one result for all writes that begin within a second, because computing it may read files and check
 * signatures.
 */
function sharedAnswer(ask: RunnablePlan['refusedNow']): () => Promise<ToolError | undefined> {
  let askedMs = performance.now();
  let answer: Promise<ToolError | undefined> = Promise.resolve(undefined);
  return () => {
    if (performance.now() - askedMs < answerReuseMs) return answer;
    askedMs = performance.now();
    answer = refusalError(ask);
    return answer;
  };
}

async function refusalError(ask: RunnablePlan['refusedNow']): Promise<ToolError | undefined> {
  try {
    const [first] = await ask();
    return first === undefined
      ? undefined
      : new ToolError({ code: first.code, message: first.message, hint: resumeHint });
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
}

const resumeHint = 'Nothing more was begun. Apply again when it is permitted: what is done is recognised.';
