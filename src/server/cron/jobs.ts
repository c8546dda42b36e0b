import { stringAt } from '../../base/json/json.ts';
import type { Job } from '../core/job.ts';
import { cronMissedAfterMs } from '../http/limits.ts';
import { cronStateIn, storeCronState } from './cronState.ts';
import { jobOf } from './decisions/job.ts';
import { advanceCron } from './decisions/step.ts';

/** Handles a scheduled time or an event of an execution. `about`: {uid, location}. */
export const cronStep: Job = (work, about) => {
  const { tx, atMs, lateMs } = work;
  const [uid, location] = [stringAt(about, 'uid') ?? '', stringAt(about, 'location') ?? ''];
  const row = tx.byUid('workload', uid);
  const job = row === undefined ? undefined : jobOf(row);
  if (row === undefined || job === undefined) return;
  const missedMs = atMs + lateMs - cronMissedAfterMs;
  storeCronState(work, row, location, advanceCron(cronStateIn(row, location), job, atMs, missedMs));
};
