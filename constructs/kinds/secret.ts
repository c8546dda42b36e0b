import type { Construct } from 'constructs';
import type { SecretKeys, SecretProps } from '../../generated/interfaces/props.ts';
import { ToolError } from '../../src/errors/toolError.ts';
import { readableKeys } from '../../src/schema/facts/secretKeys.ts';
import { Resource } from '../resource.ts';

export type SecretType = keyof SecretKeys;

/** A value that only those may read who are allowed to reveal it. `type` decides the form of `data`. */
export class Secret<Type extends SecretType = SecretType> extends Resource<'secret'> {
  readonly type: Type;
  readonly #data: unknown;

  constructor(scope: Construct, id: string, props: SecretProps & { readonly type: Type }) {
    const { type, data } = props;
    super(scope, id, 'secret', props, { type, data });
    this.type = type;
    this.#data = data;
  }

  /**
   * What an environment variable or a volume refers to: the whole secret, or one of its keys.
   *
   * Errors: `stack.secret-key` for a key that it does not have.
   */
  uri(key?: SecretKeys[Type]): `scheme://secret/${string}` {
    if (key === undefined) return `scheme://secret/${this.name}`;
    const keys = this.#keys();
    if (!keys.includes(key)) {
      throw new ToolError({
        code: 'stack.secret-key',
        message: `the secret "${this.name}" has no key ${JSON.stringify(key)}`,
        hint: keys.length === 0 ? 'It can be read as a whole only: uri().' : `Its keys are ${keys.join(', ')}.`,
      });
    }
    return `scheme://secret/${this.name}.${key}`;
  }

  #keys(): readonly string[] {
    const known = readableKeys[this.type];
    if (known !== 'any') return known ?? [];
    return typeof this.#data === 'object' && this.#data !== null ? Object.keys(this.#data) : [];
  }
}
