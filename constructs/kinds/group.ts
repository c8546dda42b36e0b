import type { Construct } from 'constructs';
import type { Group as GroupRecord } from '../../src/schema/kinds/group.ts';
import type { Linked } from '../linked.ts';
import { type Own, ownFields } from '../own.ts';
import { Resource, type ResourceProps } from '../resource.ts';

export interface GroupProps extends ResourceProps, Linked<Own<GroupRecord>> {}

/** Users and service accounts under one name. */
export class Group extends Resource<'group'> {
  readonly #props: GroupProps;

  constructor(scope: Construct, id: string, props: GroupProps = {}) {
    super(scope, id, 'group', props);
    this.#props = props;
  }

  protected override content(): { readonly [field: string]: unknown } {
    return ownFields(this.#props);
  }
}
