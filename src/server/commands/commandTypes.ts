import { document, number } from '../../base/form/read.ts';
import { own } from '../../base/json/json.ts';
import { type CommandType, changeCommand, findCommand, statusOf } from '../audit/commandLog.ts';
import type { Session } from '../core/session.ts';
import { runCronWorkload } from '../cron/runCronWorkload.ts';
import type { Entry, Row } from '../store/model/row.ts';
import { volumeCommands } from '../volumes/volumeCommands.ts';
import { stopReplica } from '../workloads/stopReplica.ts';

const seconds = number({ least: 0, most: 86_400 });

/**
 * The test command of an org (platform/commands): it returns its message, immediately or after `seconds`, during which
 * it can be cancelled.
 */
const echo: CommandType = {
  owner: 'org',
  type: 'echo',
  // Its payload is undocumented, so any object is accepted.
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

/** All types of commands. */
export const commandTypes: readonly CommandType[] = [echo, runCronWorkload, stopReplica, ...volumeCommands];

/** Ends a command early, undoing what it started. */
export function cancelCommand(session: Session, row: Row, command: Entry): void {
  commandTypeOf(command)?.cancel?.(session, row, command);
  const after = findCommand(session.tx, command.id);
  if (after !== undefined) changeCommand(session, after.id, { lifecycleStage: 'cancelled', status: statusOf(after) });
}

export function commandTypeOf({ kind }: Entry): (typeof commandTypes)[number] | undefined {
  return commandTypes.find(({ type }) => type === kind);
}
