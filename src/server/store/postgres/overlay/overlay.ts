import { JournalOverlay } from './journalOverlay.ts';
import { RowOverlay } from './rowOverlay.ts';
import { UndoLog } from './undoLog.ts';

/** Everything that the works of one commit have written, before any of it is sent. */
export class Overlay {
  readonly rows: RowOverlay;
  readonly journal: JournalOverlay;
  readonly #undo = new UndoLog();
  #seq: number;

  /** `lastSeq`: the last number that was given to a stored row of the org. */
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

  /** Runs it; when it throws, or when `kept` says so afterwards, nothing that it wrote is left. */
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
