/** The course of a type of command on volumes (platform/commands). */
export interface Course {
  /** The values of `status.stage` in order. */
  readonly stages: readonly string[];
  /** The stage at which it takes effect; undefined if at the end. */
  readonly effectStage: string | undefined;
  /** The value of `status.stage` after a failure. */
  readonly failedStage: 'fail' | 'revert';
  /** Whether the volume meanwhile cannot be used and is not recreated. */
  readonly detachesVolume: boolean;
}

const detachStages = [
  'update-volume-set',
  'delete-storage-resources',
  'shutdown-replica',
  'await-replica-termination',
  'cleanup-k8s',
];

/**
 * The stages of restorations and replacements are not documented; these of a replaced volume are used
 * (platform/commands.volumes).
 */
const replacementStages = [
  'shutdown-replica',
  'await-replica-termination',
  'update-volume-set',
  'recreate-replica',
  'cleanup-k8s',
];

/** The undocumented stages of the platform's deletion of a whole set. */
export function deletionStages(withFinalSnapshot: boolean): readonly string[] {
  return [...(withFinalSnapshot ? ['create-final-snapshot'] : []), 'delete-storage-resources', 'cleanup-k8s'];
}

/** `inUse`: whether a replica uses the volume, which is then resized online; otherwise no replica must be awaited. */
export function courseOf(type: string, inUse: boolean): Course {
  switch (type) {
    case 'createVolumeSnapshot':
      return {
        stages: ['create-snapshot', 'update-volume-set', 'cleanup-k8s'],
        effectStage: 'update-volume-set',
        failedStage: 'revert',
        detachesVolume: false,
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
        effectStage: 'update-volume-set',
        failedStage: 'revert',
        detachesVolume: false,
      };
    case 'deleteVolume':
      return {
        stages: detachStages,
        effectStage: 'delete-storage-resources',
        failedStage: 'fail',
        detachesVolume: true,
      };
    case 'shrinkVolume':
      return { stages: detachStages, effectStage: undefined, failedStage: 'fail', detachesVolume: true };
    case 'deleteVolumeSnapshot':
      return {
        stages: ['delete-snapshot', 'update-volume-set'],
        effectStage: 'update-volume-set',
        failedStage: 'fail',
        detachesVolume: false,
      };
    default:
      return { stages: replacementStages, effectStage: undefined, failedStage: 'revert', detachesVolume: true };
  }
}

/** The step with number `stepIndex`, from 0. The end follows the last stage. */
export type Step =
  | { readonly kind: 'stage'; readonly stage: string; readonly takesEffect: boolean }
  | { readonly kind: 'completed'; readonly takesEffect: boolean }
  | { readonly kind: 'timeout' };

/** The start of a command, the duration of each stage, and the timeout of the command. */
export interface Timing {
  readonly startedMs: number;
  readonly stageMs: number;
  readonly timeoutMs: number;
}

/** The next step. A command that cannot finish in time has no effect, runs until its timeout and then fails. */
export function stepOf({ stages, effectStage }: Course, stepIndex: number, nowMs: number, timing: Timing): Step {
  const { startedMs, stageMs, timeoutMs } = timing;
  if (nowMs >= startedMs + timeoutMs) return { kind: 'timeout' };
  const inTime = stages.length * stageMs < timeoutMs;
  const stage = stages[stepIndex];
  if (stage === undefined) return { kind: 'completed', takesEffect: inTime && effectStage === undefined };
  return { kind: 'stage', stage, takesEffect: inTime && stage === effectStage };
}

/** The time of the next step. */
export function nextStepMs(nowMs: number, { startedMs, stageMs, timeoutMs }: Timing): number {
  return Math.min(nowMs + stageMs, startedMs + timeoutMs);
}
