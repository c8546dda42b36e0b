/** What the process returns (issue "cli/"). */
export const exitCode = {
  ok: 0,
  /** Something is wrong with the input, the plan, or the run. */
  failed: 1,
  /** `plan --detailed-exitcode`: there are changes. */
  changes: 2,
  /** The command line itself is wrong. */
  usage: 127,
  /** Ctrl-C, pressed twice. */
  interrupted: 130,
} as const;
