import { isObject, type JsonObject, type JsonValue } from '../base/json/json.ts';
import { jsonText } from '../base/json/jsonText.ts';
import { toYaml } from '../project/files/toYaml.ts';

export type OutputFormat = 'text' | 'json' | 'yaml';

/** The answers of a command for programs (`-o json`, `-o yaml`). */
export interface Answer {
  /** Whether a document was requested. */
  readonly wanted: boolean;
  /** Sets the result. It is printed with the error when the command has ended; the last one counts. */
  document(value: JsonValue): void;
  /** Adds to a result that is an object. */
  add(members: JsonObject): void;
  /** Prints the result immediately, for a command that continues; nothing is printed after it. */
  publish(value: JsonValue): Promise<void>;
}

/** Ensures that standard output contains exactly one document, however the command ends. */
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

  /** Prints the document at the end, with the error that ended the command. */
  async close(error: JsonObject | undefined): Promise<void> {
    const value = this.#take(error);
    if (value === undefined) return;
    await this.#write(await toText(value, this.#format === 'yaml' ? 'yaml' : 'json'));
  }

  /** The same synchronously, if the process is about to end: JSON, which is also valid YAML. */
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

/** A result for programs. Equal data gives equal text. */
export async function toText(value: JsonValue, format: 'json' | 'yaml'): Promise<string> {
  return format === 'yaml' ? withoutLastLineEnd(await toYaml(value)) : jsonText(value);
}

/** For output that adds the line end. Other space at the end may belong to a value. */
export function withoutLastLineEnd(text: string): string {
  return text.replace(/\n$/, '');
}

/**
 * The requested format, even if the rest of the command line is wrong, because the error must use it too. The last one
 * counts; after `--` there are no options.
 */
export function outputFormatOf(args: readonly string[]): OutputFormat {
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  return options.reduce<OutputFormat>((format, arg, index) => formatAt(arg, options[index + 1]) ?? format, 'text');
}

function formatAt(arg: string, next: string | undefined): OutputFormat | undefined {
  const word = arg === '-o' || arg === '--output' ? next : /^(?:-o|--output=)(.+)$/s.exec(arg)?.[1];
  // `json-slim` is JSON with fewer members, so its errors are JSON too.
  const format = word?.replace(/-slim$/, '');
  return format === 'text' || format === 'json' || format === 'yaml' ? format : undefined;
}

/** Collects the documents of a command that repeats the same steps. */
export class DocumentList implements Answer {
  readonly #documents: JsonValue[] = [];
  readonly wanted: boolean;
  #open = false;

  constructor({ wanted }: Pick<Answer, 'wanted'>) {
    this.wanted = wanted;
  }

  get documents(): readonly JsonValue[] {
    return this.#documents;
  }

  /** Begins the next document. */
  next(): void {
    this.#open = false;
  }

  document(value: JsonValue): void {
    if (this.#open) this.#documents.pop();
    this.#documents.push(value);
    this.#open = true;
  }

  add(members: JsonObject): void {
    const last = this.#open ? this.#documents.at(-1) : undefined;
    this.document(isObject(last) ? { ...last, ...members } : members);
  }

  publish(value: JsonValue): Promise<void> {
    this.document(value);
    return Promise.resolve();
  }
}
