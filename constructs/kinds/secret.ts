import type { Construct } from 'constructs';
import type { Secret as SecretContent } from '../../src/schema/kinds/secret.ts';
import { Resource, type ResourceProps } from '../resource.ts';

/** `type` decides the form of `data` (platform/secret). */
export type SecretProps = ResourceProps & SecretContent;

/** A value that only those may read who are allowed to reveal it. */
export class Secret extends Resource<'secret'> {
  readonly #props: SecretProps;

  constructor(scope: Construct, id: string, props: SecretProps) {
    super(scope, id, 'secret', props);
    this.#props = props;
  }

  /** What an environment variable or a volume refers to: the whole secret, or one of its keys. */
  uri(key?: string): string {
    return key === undefined ? `scheme://secret/${this.name}` : `scheme://secret/${this.name}.${key}`;
  }

  protected override content(): { readonly [field: string]: unknown } {
    const { type, data } = this.#props;
    return { type, data };
  }
}
