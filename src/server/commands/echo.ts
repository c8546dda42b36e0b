import { own } from '../../base/json/json.ts';
import type { CommandType } from '../audit/commandType.ts';

/**
 * The test command of an org (platform/commands): it returns its message, at once or after `seconds`, during which it
 * can be cancelled.
 */
export const echo: CommandType = {
  owner: 'org',
  type: 'echo',
  // No document describes its payload, so any object is accepted.
  spec: {
    type: 'object',
    properties: { seconds: { type: 'number', minimum: 0, maximum: 86_400 } },
    additionalProperties: true,
  },
  begin({ platform, tx }, _row, { id, spec }) {
    const seconds = own(spec, 'seconds');
    if (typeof seconds !== 'number' || seconds === 0) return { lifecycleStage: 'completed', status: { echo: spec } };
    tx.schedule({
      key: `command.echo/${id}`,
      atMs: platform.now() + seconds * 1000,
      job: 'command.echo',
      about: { id },
    });
    return { lifecycleStage: 'pending', status: {} };
  },
  cancel: ({ tx }, _row, { id }) => tx.unschedule(`command.echo/${id}`),
};
