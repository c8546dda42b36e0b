import { type ExitCode, exitCode } from './exitCode.ts';

const failures = {
  [exitCode.ok]: undefined,
  [exitCode.changes]: undefined,
  [exitCode.failed]: 'failed',
  [exitCode.usage]: 'failed',
  [exitCode.refused]: 'refused',
  [exitCode.stale]: 'stale',
  [exitCode.partly]: 'partly',
  [exitCode.unreachable]: 'unreachable',
  [exitCode.interrupted]: 'interrupted',
} as const satisfies Readonly<Record<ExitCode, string | undefined>>;

/** The failure of a command that ended with this code, in one word; undefined after a success. */
export function failureOf(code: ExitCode): (typeof failures)[ExitCode] {
  return failures[code];
}
