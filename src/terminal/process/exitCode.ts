import { unreachableCodes } from '../../base/unreachable.ts';

/** The exit codes of the process; the table in docs/commands.md says the same. */
export const exitCode = {
  ok: 0,
  /** Something is wrong with the input, or anything that has no code of its own. */
  failed: 1,
  /** `--detailed-exitcode`: there are changes, or drift. */
  changes: 2,
  /** A plan, a saved plan or a deletion is refused; nothing was written. */
  refused: 3,
  /** The live records are not those that the plan was made from; nothing was written. */
  stale: 4,
  /** Something was written or deleted, and something else was not. */
  partly: 5,
  /** The platform cannot be reached, or is too busy. */
  unreachable: 6,
  /** The command line itself is wrong (`EX_USAGE` of sysexits; 127 is the shell's word for a missing command). */
  usage: 64,
  /** Ctrl-C, SIGTERM or SIGHUP. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Is it worth to try again, and how? */
export type Retry = 'no' | 'plan-again' | 'run-again' | 'later';

/** The codes of errors that do not end with 1. */
const byCode: Readonly<Record<string, ExitCode>> = {
  'cli.usage': exitCode.usage,
  'cli.interrupted': exitCode.interrupted,
  'apply.interrupted': exitCode.interrupted,
  'apply.partly': exitCode.partly,
  'plan.refused': exitCode.refused,
  'plan.rehearsal': exitCode.refused,
  'selection.breaks': exitCode.refused,
  'delete.referenced': exitCode.refused,
  'doctor.unusable': exitCode.refused,
  'plan.stale': exitCode.stale,
  'plan.fact': exitCode.stale,
  // A saved plan that can be read and does not count here is refused; what cannot be read or written is wrong input.
  'saved.tampered': exitCode.refused,
  'saved.unsigned': exitCode.refused,
  'saved.signature-invalid': exitCode.refused,
  'saved.signature-unknown': exitCode.refused,
  'saved.approvals': exitCode.refused,
  'saved.own-approval': exitCode.refused,
  'saved.other-org': exitCode.refused,
  'saved.other-stack': exitCode.refused,
  'saved.other-endpoint': exitCode.refused,
  'saved.other-environment': exitCode.refused,
  'saved.other-project': exitCode.refused,
  // The same plan, made again, may be applied.
  'saved.secret-changed': exitCode.stale,
  'saved.signature-expired': exitCode.stale,
};

/** The exit code that an error with this code ends the process with. */
export function exitCodeOf(code: string): ExitCode {
  if (unreachableCodes.has(code)) return exitCode.unreachable;
  return Object.hasOwn(byCode, code) ? (byCode[code] ?? exitCode.failed) : exitCode.failed;
}

const retries: Partial<Record<ExitCode, Retry>> = {
  [exitCode.stale]: 'plan-again',
  [exitCode.partly]: 'run-again',
  [exitCode.interrupted]: 'run-again',
  [exitCode.unreachable]: 'later',
};

/** Of an error with this code, which ended the process with `exit`. */
export function retryOf(code: string, exit: ExitCode): Retry {
  // What was written is there, and the next run waits for it: nothing is wrong that the exit code could tell of.
  if (code === 'apply.not-ready') return 'run-again';
  return retries[exit] ?? 'no';
}
