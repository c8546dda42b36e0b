import { unreachableCodes } from '../base/unreachable.ts';

/** The exit codes of the process. */
export const exitCode = {
  ok: 0,
  failed: 1,
  changes: 2,
  refused: 3,
  stale: 4,
  partly: 5,
  unreachable: 6,
  /** `EX_USAGE` of sysexits; 127 is what a shell returns for a missing command. */
  usage: 64,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Their meanings, from which docs/commands.md is generated. */
export const exitMeanings: Readonly<Record<ExitCode, string>> = {
  [exitCode.ok]: 'done',
  [exitCode.failed]: 'failed: wrong input, or anything that has no code of its own',
  [exitCode.changes]: '`--detailed-exitcode`: there are changes, or drift. `status`: not ready yet',
  [exitCode.refused]:
    'a plan, a saved plan or a deletion is refused; nothing was written. `doctor`: the platform cannot be used',
  [exitCode.stale]: 'stale: what is live is not what the plan was made from; nothing was written',
  [exitCode.partly]: 'partly applied: something was written or deleted, and something else was not',
  [exitCode.unreachable]:
    'the platform, a repository or a store cannot be reached, or is too busy; nothing was written, unless an answer was lost',
  [exitCode.usage]: 'wrong command line',
  [exitCode.interrupted]: 'interrupted by Ctrl-C, SIGTERM or SIGHUP',
};

/** Whether and how to try again. */
export type Retry = 'no' | 'plan-again' | 'run-again' | 'later';

/** The error codes whose exit code is not 1. */
const byCode: Readonly<Record<string, ExitCode>> = {
  'cli.usage': exitCode.usage,
  'cli.interrupted': exitCode.interrupted,
  'apply.interrupted': exitCode.interrupted,
  'apply.partly': exitCode.partly,
  'plan.refused': exitCode.refused,
  'plan.rehearsal': exitCode.refused,
  'selection.breaks': exitCode.refused,
  'delete.referenced': exitCode.refused,
  'delete.closure-unknown': exitCode.refused,
  'doctor.unusable': exitCode.refused,
  'plan.stale': exitCode.stale,
  'plan.fact': exitCode.stale,
  // A readable saved plan that is not valid here is refused; one that cannot be read or written is wrong input.
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
  // A new plan may be applied.
  'saved.secret-changed': exitCode.stale,
  'saved.signature-expired': exitCode.stale,
};

/** The exit code for an error code. */
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

/** For an error code and its `exit` code. */
export function retryOf(code: string, exit: ExitCode): Retry {
  // The changes were written, and the next run waits for them, which the exit code does not show.
  if (code === 'apply.not-ready') return 'run-again';
  return retries[exit] ?? 'no';
}
