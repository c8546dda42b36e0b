import type { CommandType } from './commandType.ts';

/** Every type of command. */
export const commandTypes: readonly CommandType[] = [];
