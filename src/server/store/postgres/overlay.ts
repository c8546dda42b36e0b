import { JournalOverlay } from './journalOverlay.ts';
import { RowOverlay } from './rowOverlay.ts';
import { UndoLog } from './undoLog.ts';

/** All writes of one commit before any of them is sent. */
export class Overlay {
  readonly rows: RowOverlay;
  readonly journal: JournalOverlay;
  readonly #undo = new UndoLog();
  #seq: number;

  /** `lastSeq`: the last number used for a row of the org. */
  constructor(lastSeq: number) {
    this.#seq = lastSeq;
    this.rows = new RowOverlay(this.#undo);
    this.journal = new JournalOverlay(this.#undo);
  }

  get lastSeq(): number {
    return this.#seq;
  }

  get isEmpty(): boolean {
    return this.#undo.mark === 0;
  }

  nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }

  /** Runs the work. Undoes its writes if it throws or if `kept` then returns false. */
  attempt<T>(work: () => T, kept: () => boolean): T {
    const [mark, seq] = [this.#undo.mark, this.#seq];
    const undo = () => {
      this.#undo.rollBack(mark);
      this.#seq = seq;
    };
    try {
      const value = work();
      if (!kept()) undo();
      return value;
    } catch (error) {
      undo();
      throw error;
    }
  }
}
