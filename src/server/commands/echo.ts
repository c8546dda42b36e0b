import type { CommandType } from './commandType.ts';

/** The test command of an org (protocol 3.5): it says what it was told, and is done at once. */
export const echo: CommandType = {
  owner: 'org',
  type: 'echo',
  // Its payload is named by no document: any object.
  spec: { type: 'object' },
  begin: (_session, _row, { spec }) => ({ lifecycleStage: 'completed', status: { echo: spec } }),
};
