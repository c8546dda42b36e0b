import { ReplayedInputs, withReplayedInputs } from '../replayedInputs.ts';
import type { Transaction } from '../row.ts';
import type { Wanted } from './overlay/knownReads.ts';
import type { Overlay } from './overlay/overlay.ts';
import { type Replay, ReplayTransaction } from './overlay/replayTransaction.ts';

/** A work that waits for its transaction, and its outcome once it ran to its end. */
export class PendingWork {
  readonly run: (tx: Transaction) => void;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
  readonly given = new ReplayedInputs();
  /** Set by a run that missed nothing; the promise is settled after the commit. */
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

/** A work that reads one thing after the other needs as many runs; more than this it never ends. */
const mostRuns = 5_000;

/**
 * Runs the works one after the other on what is known. Each sees what those before it wrote; one that throws leaves
 * nothing. What they asked for and is not known is the result: where it is not empty, it has to be read and the works
 * from the first that missed something have to be run again. Those behind it are run only to learn what they will ask.
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
