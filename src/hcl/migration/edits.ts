interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Replacements in one text, by its own offsets; all else stays as it is. */
export class Edits {
  readonly #text: string;
  /** By their beginnings; those at one place in the order in which they were made. */
  readonly #edits: Edit[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  replace(start: number, end: number, text: string): void {
    if (this.#text.slice(start, end) !== text) this.#edits.splice(this.#before(start + 1), 0, { start, end, text });
  }

  insert(at: number, text: string): void {
    this.replace(at, at, text);
  }

  /** A part of the text with its replacements, which are done with: the caller puts it where it belongs. */
  take(start: number, end: number): string {
    const first = this.#before(start);
    const near = this.#edits.splice(first, this.#before(end + 1) - first);
    const inside = near.filter((edit) => edit.end <= end);
    this.#edits.splice(first, 0, ...near.filter((edit) => edit.end > end));
    // An insertion comes before what is replaced at the same place.
    inside.sort((a, b) => a.start - b.start || a.end - b.end);
    let [result, from] = ['', start];
    for (const edit of inside) {
      result += this.#text.slice(from, edit.start) + edit.text;
      from = edit.end;
    }
    return result + this.#text.slice(from, end);
  }

  whole(): string {
    return this.take(0, this.#text.length);
  }

  /** How many begin before an offset. A file has ten thousand of them. */
  #before(offset: number): number {
    let [low, high] = [0, this.#edits.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#edits[middle]?.start ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
