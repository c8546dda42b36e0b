import { document, number } from '../../base/form/read.ts';
import { own } from '../../base/json/json.ts';
import type { CommandType } from '../audit/commandType.ts';
import { runCronWorkload } from '../cron/runCronWorkload.ts';
import { volumeCommands } from '../volumes/volumeCommands.ts';
import { stopReplica } from '../workloads/stopReplica.ts';

const seconds = number({ least: 0, most: 86_400 });

/**
 * The test command of an org (platform/commands): it returns its message, at once or after `seconds`, during which it
 * can be cancelled.
 */
const echo: CommandType = {
  owner: 'org',
  type: 'echo',
  // No document describes its payload, so any object is accepted.
  spec: {
    schema: { type: 'object', properties: { seconds: seconds.schema }, additionalProperties: true },
    read(given, at) {
      const delay = own(document.read(given, at), 'seconds');
      if (delay !== undefined) seconds.read(delay, at.key('seconds'));
    },
  },
  begin({ platform, tx }, _row, { id, spec }) {
    const delay = own(spec, 'seconds');
    if (typeof delay !== 'number' || delay === 0) return { lifecycleStage: 'completed', status: { echo: spec } };
    tx.schedule({
      key: `command.echo/${id}`,
      atMs: platform.now() + delay * 1000,
      job: 'command.echo',
      about: { id },
    });
    return { lifecycleStage: 'pending', status: {} };
  },
  cancel: ({ tx }, _row, { id }) => tx.unschedule(`command.echo/${id}`),
};

/** Every type of command. */
export const commandTypes: readonly CommandType[] = [echo, runCronWorkload, stopReplica, ...volumeCommands];
