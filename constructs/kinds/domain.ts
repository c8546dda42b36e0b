import type { Construct } from 'constructs';
import type { DomainSpec } from '../../src/schema/kinds/domain.ts';
import type { Linked } from '../linked.ts';
import { ownFields } from '../own.ts';
import { Resource, type ResourceProps } from '../resource.ts';

export interface DomainProps extends ResourceProps, Linked<DomainSpec> {}

/** A host name, and where its requests go. Its name is the host name. */
export class Domain extends Resource<'domain'> {
  readonly #props: DomainProps;

  constructor(scope: Construct, id: string, props: DomainProps = {}) {
    super(scope, id, 'domain', props);
    this.#props = props;
  }

  protected override content(): { readonly [field: string]: unknown } {
    return { spec: ownFields(this.#props) };
  }
}
