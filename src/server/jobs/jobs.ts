import { continueVolumeSetDeletion } from '../commands/volumeSetDeletion.ts';
import type { Job } from '../core/job.ts';
import { continueGvcDeletion } from '../records/gvcDeletion.ts';
import { continuePlacement } from '../state/placement.ts';
import type { JobName } from '../store/row.ts';
import { commandCancel } from './commandCancel.ts';
import { commandEcho } from './commandEcho.ts';
import { commandRunning } from './commandRunning.ts';
import { cronStep } from './cronStep.ts';
import { domainStage } from './domainStage.ts';
import { volumeCommand, volumeExpiry, volumeGrowth, volumeSnapshots } from './volumeJobs.ts';

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
