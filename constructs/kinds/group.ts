import type { Construct } from 'constructs';
import type { GroupProps } from '../../generated/interfaces/props.ts';
import { Existing } from '../existing.ts';
import { GroupLists } from '../generated/lists.ts';
import type { LinkTo } from '../values/references.ts';
import { ownFields } from './ownFields.ts';

/** Users and service accounts under one name. */
export class Group extends GroupLists {
  constructor(scope: Construct, id: string, props: GroupProps = {}) {
    super(scope, id, 'group', props, ownFields(props));
  }

  /** A group that exists without this stack. */
  static fromName(scope: Construct, id: string, name: string): Existing<'group'> {
    return new Existing(scope, id, { kind: 'group', name });
  }

  /** A group that exists without this stack, by its link. Errors: `stack.link`. */
  static fromLink(scope: Construct, id: string, link: LinkTo<'group'>): Existing<'group'> {
    return new Existing(scope, id, { kind: 'group', link });
  }
}
