import { ReplayedInputs, withReplayedInputs } from '../model/replayedInputs.ts';
import type { Transaction } from '../model/row.ts';
import type { Wanted } from './knownReads.ts';
import type { Overlay } from './overlay.ts';
import { type Replay, ReplayTransaction } from './transaction.ts';

/** Work that waits for its transaction, and its outcome after a complete run. */
export class PendingWork {
  readonly run: (tx: Transaction) => void;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
  readonly given = new ReplayedInputs();
  /** Set by a run without missing reads; the promise settles after the commit. */
  outcome: 'failed' | 'none' | 'worked' = 'none';
  runs = 0;

  private constructor(run: (tx: Transaction) => void, settle: () => void, fail: (error: unknown) => void) {
    this.run = run;
    this.settle = settle;
    this.fail = fail;
  }

  static of<T>(
    work: (tx: Transaction) => T,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ): PendingWork {
    let settle = (): void => reject(new Error('the work was not run'));
    const pending = new PendingWork(
      (tx) => {
        try {
          const value = work(tx);
          settle = () => resolve(value);
        } catch (error) {
          settle = () => reject(error);
          throw error;
        }
      },
      () => settle(),
      reject,
    );
    return pending;
  }
}

/** Work with dependent reads needs one run for each; with more runs than this it would not terminate. */
const mostRuns = 5_000;

/**
 * Runs the works one after the other on cached reads. Each sees the writes of those before it; a throw undoes its own.
 * Returns the missing reads: if there are any, they must be fetched, and the works from the first with a missing read
 * must run again. The works after that one run only to discover their own missing reads.
 */
export function runWorks(replay: Replay, overlay: Overlay, works: readonly PendingWork[]): readonly Wanted[] {
  const wanted: Wanted[] = [];
  for (const work of works) {
    if (work.outcome !== 'none') continue;
    work.runs += 1;
    if (work.runs > mostRuns) throw new Error('a work asks for something else each time it is run');
    const tx = new ReplayTransaction(replay, overlay);
    const missed = () => tx.unread.length > 0;
    let outcome: PendingWork['outcome'] = 'worked';
    try {
      overlay.attempt(
        () => withReplayedInputs(work.given, () => work.run(tx)),
        () => !missed() && wanted.length === 0,
      );
    } catch {
      outcome = 'failed';
    }
    if (missed()) wanted.push(...tx.unread);
    else if (wanted.length === 0) work.outcome = outcome;
  }
  return wanted;
}
