interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Replacements in one text, by its own offsets; all else stays as it is. */
export class Edits {
  readonly #text: string;
  #edits: Edit[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  get isEmpty(): boolean {
    return this.#edits.length === 0;
  }

  replace(start: number, end: number, text: string): void {
    if (this.#text.slice(start, end) !== text) this.#edits.push({ start, end, text });
  }

  insert(at: number, text: string): void {
    this.replace(at, at, text);
  }

  /** A part of the text with its replacements, which are done with: the caller puts it where it belongs. */
  take(start: number, end: number): string {
    const isInside = (edit: Edit): boolean => edit.start >= start && edit.end <= end;
    const inside = this.#edits.filter(isInside);
    this.#edits = this.#edits.filter((edit) => !isInside(edit));
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
}
