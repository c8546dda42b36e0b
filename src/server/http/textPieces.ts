/** Decodes bytes as they arrive, without a byte order mark at the beginning. */
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

  /** Was all of it UTF-8? */
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
