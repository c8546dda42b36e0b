/** How commands on volumes go on (platform/commands). */
export interface Course {
  /** `status.stage`, one after the other. */
  readonly stages: readonly string[];
  /** The stage with which it takes effect; undefined: when all are done. */
  readonly effectAt: string | undefined;
  /** `status.stage` of one that failed. */
  readonly failed: 'fail' | 'revert';
  /** The volume cannot be used meanwhile, and nothing makes it again. */
  readonly takesApart: boolean;
}

const takingApart = [
  'update-volume-set',
  'delete-storage-resources',
  'shutdown-replica',
  'await-replica-termination',
  'cleanup-k8s',
];

/**
 * The stages of a restoration and a replacement are not known: those of the replaced volume are used
 * (platform/commands.volumes).
 */
const putInPlace = [
  'shutdown-replica',
  'await-replica-termination',
  'update-volume-set',
  'recreate-replica',
  'cleanup-k8s',
];

/** For the deletion of a whole set, which the platform starts by itself; its stages are not known. */
export function deletionStages(withFinalSnapshot: boolean): readonly string[] {
  return [...(withFinalSnapshot ? ['create-final-snapshot'] : []), 'delete-storage-resources', 'cleanup-k8s'];
}

/** `inUse`: a replica has the volume, which is resized under it; else there is no replica to wait for. */
export function courseOf(type: string, inUse: boolean): Course {
  switch (type) {
    case 'createVolumeSnapshot':
      return {
        stages: ['create-snapshot', 'update-volume-set', 'cleanup-k8s'],
        effectAt: 'update-volume-set',
        failed: 'revert',
        takesApart: false,
      };
    case 'expandVolume':
      return {
        stages: [
          'expand-volume',
          'delete-stateful-set',
          inUse ? 'await-online-resize' : 'await-replica-termination',
          'await-expansion-completed',
          'update-volume-set',
          'recreate-replica',
          'cleanup-k8s',
        ],
        effectAt: 'update-volume-set',
        failed: 'revert',
        takesApart: false,
      };
    case 'deleteVolume':
      return { stages: takingApart, effectAt: 'delete-storage-resources', failed: 'fail', takesApart: true };
    case 'shrinkVolume':
      return { stages: takingApart, effectAt: undefined, failed: 'fail', takesApart: true };
    case 'deleteVolumeSnapshot':
      return {
        stages: ['delete-snapshot', 'update-volume-set'],
        effectAt: 'update-volume-set',
        failed: 'fail',
        takesApart: false,
      };
    default:
      return { stages: putInPlace, effectAt: undefined, failed: 'revert', takesApart: true };
  }
}

/** What comes next. `at`: the number of the step, from 0; after the last stage comes the end. */
export type Step =
  | { readonly kind: 'stage'; readonly stage: string; readonly takesEffect: boolean }
  | { readonly kind: 'completed'; readonly takesEffect: boolean }
  | { readonly kind: 'timeout' };

/** When a command began, how long each stage takes, and how long it may take as a whole. */
export interface Timing {
  readonly startedMs: number;
  readonly stageMs: number;
  readonly timeoutMs: number;
}

/** A command that cannot finish in time has no effect: it runs until its timeout, then fails. */
export function stepOf({ stages, effectAt }: Course, at: number, nowMs: number, timing: Timing): Step {
  const { startedMs, stageMs, timeoutMs } = timing;
  if (nowMs >= startedMs + timeoutMs) return { kind: 'timeout' };
  const inTime = stages.length * stageMs < timeoutMs;
  const stage = stages[at];
  if (stage === undefined) return { kind: 'completed', takesEffect: inTime && effectAt === undefined };
  return { kind: 'stage', stage, takesEffect: inTime && stage === effectAt };
}

/** When the next step is due. */
export function nextStepMs(nowMs: number, { startedMs, stageMs, timeoutMs }: Timing): number {
  return Math.min(nowMs + stageMs, startedMs + timeoutMs);
}
