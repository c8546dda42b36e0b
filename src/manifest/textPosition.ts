import type { LocatedProblem } from './model/locatedProblem.ts';
import type { ManifestDocument, Position } from './model/manifest.ts';

/** Finds lines and columns (1-based, in UTF-16 units, as in editors) by offset; scans the text only once. */
export class TextPositions {
  readonly #text: string;
  readonly #file: string;
  #starts: readonly number[] | undefined;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
  }

  at(offset: number): Position {
    this.#starts ??= lineStarts(this.#text);
    const starts = this.#starts;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { file: this.#file, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }
}

function lineStarts(text: string): readonly number[] {
  return [0, ...Array.from(text.matchAll(/\r\n?|\n/g), ({ 0: end, index }) => index + end.length)];
}

/** The parsed text of one file: its documents and its problems. */
export interface ParsedText {
  readonly documents: readonly ManifestDocument[];
  readonly problems: readonly LocatedProblem[];
}
