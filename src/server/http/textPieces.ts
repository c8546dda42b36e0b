/** Makes text of bytes as they come, without a byte order mark at its beginning. */
export class TextPieces {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #keep: (piece: string) => void;
  #isText = true;

  constructor(keep: (piece: string) => void) {
    this.#keep = keep;
  }

  add(bytes: Uint8Array): void {
    this.#decode(() => this.#decoder.decode(bytes, { stream: true }));
  }

  /** Whether all of it was UTF-8. */
  end(): boolean {
    this.#decode(() => this.#decoder.decode());
    return this.#isText;
  }

  #decode(decode: () => string): void {
    if (!this.#isText) return;
    try {
      this.#keep(decode());
    } catch {
      this.#isText = false;
    }
  }
}
