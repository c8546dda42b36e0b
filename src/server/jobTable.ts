import { commandCancel, commandEcho, commandRunning } from './commands/jobs.ts';
import type { Job } from './core/job.ts';
import { cronStep } from './cron/jobs.ts';
import { domainStage } from './domains/jobs.ts';
import { continuePlacement } from './records/derived/placement.ts';
import { continueGvcDeletion } from './records/gvcDeletion.ts';
import type { JobName } from './store/model/row.ts';
import { volumeCommand, volumeExpiry, volumeGrowth, volumeSnapshots } from './volumes/jobs.ts';
import { continueVolumeSetDeletion } from './volumes/volumeSetDeletion.ts';

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
