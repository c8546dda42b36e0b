/** Why code in a sandbox returned no value. */
export class SandboxFailure extends Error {
  /** `thrown`: by the code itself, or by the parser. `pending`: it awaits a promise that never settles. */
  readonly reason: 'thrown' | 'over' | 'memory' | 'stack' | 'size' | 'pending';

  constructor(reason: SandboxFailure['reason'], message = '') {
    super(message);
    this.reason = reason;
  }
}

/** The maximum number of characters of a text that leaves a sandbox. */
export const longestText = 2 ** 26;
