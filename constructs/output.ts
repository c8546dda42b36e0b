import { Construct } from 'constructs';
import type { JsonObject } from '../src/base/json/json.ts';
import { outputKind } from '../src/manifest/model/manifest.ts';
import { freeId } from './freeId.ts';
import { notText } from './notText.ts';
import { Origin } from './origin.ts';
import { resolve } from './resolve.ts';

export interface OutputProps {
  /** Its name for `gantry output NAME`: letters, digits, hyphens and underscores. @default the construct id */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /**
   * Of what is shown once, such as a new key: the file that gets it when it is made, for you alone to read (0600). One that
   * is there is not overwritten.
   */
  readonly saveTo?: { readonly file: string } | undefined;
  /** It is masked where it is shown. What the platform takes for a secret always is. @default false */
  readonly sensitive?: boolean | undefined;
}

export const outputBrand: unique symbol = Symbol.for('gantry.output');

/**
 * A value that the stack hands on: to people and pipelines (`gantry output url`), to programs, and to other stacks, which
 * use its `value`. It is read from the platform each time, and kept nowhere.
 *
 * @example
 * const url = new Output(network, 'url', web.url);
 * // another stack: env: { API: url.value }
 */
export class Output<Value = unknown> extends Construct {
  readonly [outputBrand] = true;
  readonly name: string;
  /** The value that it was made with: a field of another stack takes it, which is then applied after this one. */
  readonly value: Value;
  /** Where user code made it. */
  readonly origin: Origin;
  readonly #props: OutputProps;

  constructor(scope: Construct, id: string, value: Value, props: OutputProps = {}) {
    super(scope, freeId(scope, id));
    this.name = props.name ?? id;
    this.value = value;
    this.origin = new Origin(new.target);
    this.#props = props;
  }

  /** The manifest, which makes no resource. */
  toOutput(): JsonObject {
    const { name, value } = this;
    const { description, sensitive, saveTo } = this.#props;
    const { lifecycle, ...declared } = resolve([
      { kind: outputKind, name, description, sensitive, saveTo, value },
    ]).manifest;
    // A marked value anywhere in it hides all of it.
    return lifecycle === undefined ? declared : { ...declared, sensitive: true };
  }

  /** A field that takes it gets the value. */
  toJSON(): Value {
    return this.value;
  }

  [Symbol.toPrimitive](): never {
    throw notText(`the output "${this.name}"`, 'Put its value into the text: .value.');
  }
}

export function isOutput(value: unknown): value is Output {
  return typeof value === 'object' && value !== null && outputBrand in value;
}
