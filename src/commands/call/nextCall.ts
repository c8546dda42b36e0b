import { programName, repeatedFlags } from '../../terminal/nextCommand.ts';
import type { Call } from './command.ts';

const platformFlags = [
  'profile',
  'org',
  'gvc',
  'endpoint',
  'token',
  'tokenFile',
  'insecure',
  'embedded',
  'data',
  'dialect',
] as const;

/** A command to run next, on the same platform: `gantry` with these words and the flags of this call. */
export function nextCall({ context }: Call, words: string): string {
  return [`${programName(context.environment)} ${words}`, ...repeatedFlags(context.options, platformFlags)].join(' ');
}
