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
   * For a value that is shown once, such as a new key: the file that stores it, readable only for you (0600). An
   * existing file is not overwritten.
   */
  readonly saveTo?: { readonly file: string } | undefined;
  /** Whether it is masked in output. Values that the platform treats as secret always are. @default false */
  readonly sensitive?: boolean | undefined;
}

export const outputBrand: unique symbol = Symbol.for('gantry.output');

/**
 * A value that the stack provides: to users and pipelines (`gantry output url`), to programs, and to other stacks,
 * which use its `value`. It is read from the platform each time, and not stored.
 *
 * @example
 * const url = new Output(network, 'url', web.url);
 * // another stack: env: { API: url.value }
 */
export class Output<Value = unknown> extends Construct {
  readonly [outputBrand] = true;
  readonly name: string;
  /** The value that it was created with. If a field of another stack uses it, that stack is applied after this one. */
  readonly value: Value;
  /** The position in user code that created it. */
  readonly origin: Origin;
  readonly #props: OutputProps;

  constructor(scope: Construct, id: string, value: Value, props: OutputProps = {}) {
    super(scope, freeId(scope, id));
    this.name = props.name ?? id;
    this.value = value;
    this.origin = new Origin(new.target);
    this.#props = props;
  }

  /** Its manifest, which creates no resource. */
  toOutput(): JsonObject {
    const { name, value } = this;
    const { description, sensitive, saveTo } = this.#props;
    const { lifecycle, ...declared } = resolve([
      { kind: outputKind, name, description, sensitive, saveTo, value },
    ]).manifest;
    // A marked value anywhere in it masks the whole value.
    return lifecycle === undefined ? declared : { ...declared, sensitive: true };
  }

  /** The value for a field that uses it. */
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
