import type { CommandType } from '../audit/commandType.ts';
import { runCronWorkload } from '../cron/runCronWorkload.ts';
import { volumeCommands } from '../volumes/volumeCommands.ts';
import { stopReplica } from '../workloads/stopReplica.ts';
import { echo } from './echo.ts';

/** Every type of command. */
export const commandTypes: readonly CommandType[] = [echo, runCronWorkload, stopReplica, ...volumeCommands];
