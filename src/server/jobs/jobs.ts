import { commandCancel } from '../commands/commandCancel.ts';
import { commandEcho } from '../commands/commandEcho.ts';
import { commandRunning } from '../commands/commandRunning.ts';
import type { Job } from '../core/job.ts';
import { cronStep } from '../cron/cronStep.ts';
import { domainStage } from '../domains/domainStage.ts';
import { continueGvcDeletion } from '../records/gvcDeletion.ts';
import { continuePlacement } from '../state/placement.ts';
import type { JobName } from '../store/row.ts';
import { volumeCommand, volumeExpiry, volumeGrowth, volumeSnapshots } from '../volumes/volumeJobs.ts';
import { continueVolumeSetDeletion } from '../volumes/volumeSetDeletion.ts';

/** All background work of the platform, by the name that it is scheduled under. */
export const jobs: Readonly<Record<JobName, Job>> = {
  'command.cancel': commandCancel,
  'command.echo': commandEcho,
  'command.running': commandRunning,
  cron: cronStep,
  'domain.stage': domainStage,
  'gvc.deletion': continueGvcDeletion,
  placement: continuePlacement,
  'volume.command': volumeCommand,
  'volume.expiry': volumeExpiry,
  'volume.growth': volumeGrowth,
  'volume.snapshots': volumeSnapshots,
  'volumeset.deletion': continueVolumeSetDeletion,
};
