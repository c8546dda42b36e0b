import type { Row } from '../store/model/row.ts';
import { SizedMap } from '../store/model/sizedMap.ts';
import type { GvcFacts } from './gvcFacts.ts';

/** In characters. */
const mostText = 40 * 2 ** 20;
const mostGvcText = 8 * 2 ** 20;
/** The approximate size of a key and its objects. */
const perEntry = 200;

interface Made {
  /** Weak: only the store limits the memory of rows. With its secrets a row may be much larger than its text. */
  readonly row: WeakRef<Row>;
  readonly gvc: GvcFacts | undefined;
  readonly fromMs: number;
  readonly text: string;
}

interface Placed {
  readonly row: Row;
  readonly locations: readonly Row[];
  readonly gvc: GvcFacts;
}

/**
 * Cached texts of records. A store returns the same object for a row as long as the row is unchanged, whoever writes,
 * so a text is valid as long as it was made from the very same rows.
 */
export class ShownTexts {
  readonly #texts = new SizedMap<string, Made>(mostText);
  readonly #gvcs = new SizedMap<string, Placed>(mostGvcText);

  /** Undefined: the text must be made. `gvc`: for a workload, the facts that it is shown with. */
  textOf(row: Row, gvc: GvcFacts | undefined, nowMs: number): string | undefined {
    const made = this.#texts.get(row.uid);
    // After the clock was set back the text may be different.
    if (made === undefined || made.gvc !== gvc || nowMs < made.fromMs) return undefined;
    return made.row.deref() === row ? made.text : undefined;
  }

  /** `fromMs`: the text is valid from this time on. */
  keep(row: Row, gvc: GvcFacts | undefined, fromMs: number, text: string): void {
    this.#texts.set(row.uid, { row: new WeakRef(row), gvc, fromMs, text }, text.length + perEntry);
  }

  /**
   * The facts that workloads of a GVC are shown with: the same object while they are unchanged. `locations`: their
   * input.
   */
  placed(row: Row, locations: readonly Row[], make: () => GvcFacts): GvcFacts {
    const known = this.#gvcs.get(row.uid);
    if (known !== undefined && known.row === row && areSame(known.locations, locations)) return known.gvc;
    const gvc = make();
    this.#gvcs.set(row.uid, { row, locations, gvc }, row.recordText.length + perEntry);
    return gvc;
  }
}

function areSame(a: readonly Row[], b: readonly Row[]): boolean {
  return a === b || (a.length === b.length && a.every((row, index) => row === b[index]));
}
