import { isArray } from '../../base/json/json.ts';
import type { OptionValues } from '../../kinds/common/client.ts';

/** The options of a command line, by their camel-case names. */
export class Given implements OptionValues {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #isWritten: (name: string) => boolean;

  /** `isWritten`: the option stands on the command line, so its value is no default. */
  constructor(values: Readonly<Record<string, unknown>>, isWritten: (name: string) => boolean) {
    this.#values = values;
    this.#isWritten = isWritten;
  }

  /** Was it given, whatever its default is? */
  isWritten(name: string): boolean {
    return this.#isWritten(name);
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** Of an option that may be given several times. */
  list(name: string): readonly string[] {
    const value = this.#values[name];
    return isArray(value) ? value.map(String) : [];
  }

  count(name: string): number | undefined {
    const value = this.#values[name];
    return typeof value === 'number' ? value : undefined;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  /** Was it given, or has it a default? */
  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  /** The names of the options that are set. */
  get names(): readonly string[] {
    return Object.keys(this.#values);
  }
}
