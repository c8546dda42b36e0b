import { isObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { toText } from './toText.ts';

export type OutputFormat = 'text' | 'json' | 'yaml';

/** The answers of a command to programs (`-o json`, `-o yaml`). */
export interface Answer {
  /** Is there anybody who reads the document? */
  readonly wanted: boolean;
  /** The result. It is printed when the command has ended, with its error; the last one counts. */
  document(value: JsonValue): void;
  /** Adds to a result that is an object. */
  add(members: JsonObject): void;
  /** Prints the result at once, for a command that goes on; nothing is printed after it. */
  publish(value: JsonValue): Promise<void>;
}

/** Sees to it that standard output holds exactly one document, whatever becomes of the command. */
export class OneDocument implements Answer {
  readonly #format: OutputFormat;
  readonly #write: (text: string) => void | Promise<void>;
  #document: JsonValue | undefined;
  #printed: boolean;
  readonly wanted: boolean;

  /** `write` adds the last line end. */
  constructor(format: OutputFormat, write: (text: string) => void | Promise<void>) {
    this.#format = format;
    this.#write = write;
    this.#printed = format === 'text';
    this.wanted = !this.#printed;
  }

  document(value: JsonValue): void {
    this.#document = value;
  }

  add(members: JsonObject): void {
    this.#document = isObject(this.#document) ? { ...this.#document, ...members } : members;
  }

  async publish(value: JsonValue): Promise<void> {
    this.#document = value;
    await this.close(undefined);
  }

  /** The end: the document, with the error that the command ended with. */
  async close(error: JsonObject | undefined): Promise<void> {
    const value = this.#take(error);
    if (value === undefined) return;
    await this.#write(await toText(value, this.#format === 'yaml' ? 'yaml' : 'json'));
  }

  /** The same where the process is about to end and nothing can be waited for: JSON, which is YAML too. */
  closeNow(error: JsonObject, write: (text: string) => void): void {
    const value = this.#take(error);
    if (value !== undefined) write(JSON.stringify(value, null, 2));
  }

  #take(error: JsonObject | undefined): JsonValue | undefined {
    if (this.#printed) return undefined;
    this.#printed = true;
    if (error === undefined) return this.#document;
    return isObject(this.#document) ? { ...this.#document, error } : { error };
  }
}
