import { isObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import type { Answer } from './answer.ts';

/** Collects the documents of a command that does the same several times. */
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

  /** From here on it is about the next one. */
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
