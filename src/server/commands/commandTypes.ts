import type { CommandType } from './commandType.ts';
import { echo } from './echo.ts';
import { runCronWorkload } from './runCronWorkload.ts';
import { stopReplica } from './stopReplica.ts';
import { volumeCommands } from './volumeCommands.ts';

/** Every type of command. */
export const commandTypes: readonly CommandType[] = [echo, runCronWorkload, stopReplica, ...volumeCommands];
