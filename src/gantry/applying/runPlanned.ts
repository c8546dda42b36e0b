import { refusedPlan } from '../../apply/applyErrors.ts';
import type { ApplyEvent, ApplyResult } from '../../apply/events.ts';
import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Output } from '../../manifest/model/manifest.ts';
import type { Refusal } from '../../plan/model/change.ts';
import { isEmptyPlan, type Plan } from '../../plan/model/plan.ts';
import type { Platform } from '../../project/platform/platform.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import type { Planned } from '../loading/planFromPlatform.ts';

/** A plan, and how to plan a resource of it again. */
export interface RunnablePlan extends Pick<Planned, 'plan' | 'replan' | 'desired'> {
  /** Why it may not run, which was known when it was planned. */
  readonly refused: ToolError | undefined;
  /** The outputs of its stack. Absent: of a saved plan they are not known. */
  readonly outputs?: readonly Output[];
  readonly options?: Pick<Planned['options'], 'destroys'>;
  /** The snapshot that it was read from; a saved plan has `planned` instead. */
  readonly snapshot?: Planned['snapshot'];
  /** The records that it was made from, by id. */
  readonly planned?: ReadonlyMap<ResourceId, LiveResource>;
  /** Plans everything again from what is live by then, to verify a run; of a saved plan: what is left of it. */
  readonly planAgain: (platform: Platform) => Promise<Plan>;
  /**
   * Refusals by limits at this moment, although the plan was permitted when it was made: a window has closed. Asked
   * before the first write, and during the run before further ones. Errors: those of signatures, which may have
   * expired.
   */
  readonly refusedNow: () => readonly Refusal[] | Promise<readonly Refusal[]>;
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
  /** How long to repeat reads that are older than a write, in milliseconds. @default that of gantry.yaml or the environment, else 10 seconds */
  readonly consistencyTimeoutMs?: number | undefined;
  /** Where files of outputs are relative to. @default the folder of this process */
  readonly folder?: string | undefined;
  /** How it is verified after the run: by the versions of the written records, or by planning everything again. */
  readonly verify?: 'written' | 'full' | undefined;
}

/** How long an answer of `refusedNow` counts for further writes. */
const answerCountsMs = 1_000;

/** Runs a plan. Rejects with `plan.refused` where it is refused, also by now; what fails is in the result. */
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
  const keeping = keepingShown(client);
  const files = await SaveFiles.open(plan.saves ?? [], folder);
  const ran = await runApply(plan, keeping, {
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
  const result = await files.write(keeping, ran, () => signal?.aborted === true);
  if (verify !== 'full') return result;
  const { verifyFull } = await import('./verifyFull.ts');
  return verifyFull(result, () => planAgain(platform));
}

/** One answer for all writes that begin within a second: asking may read files and check signatures. */
function sharedAnswer(ask: RunnablePlan['refusedNow']): () => Promise<ToolError | undefined> {
  let askedMs = performance.now();
  let answer: Promise<ToolError | undefined> = Promise.resolve(undefined);
  return () => {
    if (performance.now() - askedMs < answerCountsMs) return answer;
    askedMs = performance.now();
    answer = errorOf(ask);
    return answer;
  };
}

async function errorOf(ask: RunnablePlan['refusedNow']): Promise<ToolError | undefined> {
  try {
    const [first] = await ask();
    return first === undefined ? undefined : new ToolError({ code: first.code, message: first.message, hint: goesOn });
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
}

const goesOn = 'Nothing more was begun. Apply again when it is permitted: what is done is recognised.';
