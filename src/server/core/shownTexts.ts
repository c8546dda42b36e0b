import type { Row } from '../store/row.ts';
import { SizedMap } from '../store/sizedMap.ts';
import type { GvcFacts } from './gvcFacts.ts';

/** Characters. */
const mostText = 40 * 2 ** 20;
const mostGvcText = 8 * 2 ** 20;
/** About what keys and objects take. */
const perEntry = 200;

interface Made {
  /**
   * Held by its store alone, which bounds how much of them is in memory: with its secrets a row may be far longer than
   * its text.
   */
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

  /** Nothing where it has to be made. `gvc`: of a workload, all that it is shown with. */
  textOf(row: Row, gvc: GvcFacts | undefined, nowMs: number): string | undefined {
    const made = this.#texts.get(row.uid);
    // A clock may be set back: before that time the text was different.
    if (made === undefined || made.gvc !== gvc || nowMs < made.fromMs) return undefined;
    return made.row.deref() === row ? made.text : undefined;
  }

  /** `fromMs`: from this time on it is shown like this, whenever that is. */
  keep(row: Row, gvc: GvcFacts | undefined, fromMs: number, text: string): void {
    this.#texts.set(row.uid, { row: new WeakRef(row), gvc, fromMs, text }, text.length + perEntry);
  }

  /**
   * What workloads are shown with, the same object while nothing of it changes. `locations`: those that it depends on.
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
