import type { Construct } from 'constructs';
import type { IdentityProps } from '../../generated/interfaces/props.ts';
import { Existing } from '../existing.ts';
import { IdentityLists } from '../generated/lists.ts';
import type { GvcOption } from '../target.ts';
import type { LinkTo } from '../values/references.ts';
import { ownFields } from './ownFields.ts';

/** The access of workloads to other things: cloud accounts, private networks, secrets. */
export class Identity extends IdentityLists {
  constructor(scope: Construct, id: string, props: IdentityProps = {}) {
    super(scope, id, 'identity', props, ownFields(props));
  }

  /** An identity that exists without this stack. `gvc`: where the scope is not in it. Errors: `stack.scope`. */
  static fromName(scope: Construct, id: string, name: string, { gvc }: GvcOption = {}): Existing<'identity'> {
    return new Existing(scope, id, { kind: 'identity', name, gvc });
  }

  /** An identity that exists without this stack, by its link. Errors: `stack.link`. */
  static fromLink(scope: Construct, id: string, link: LinkTo<'identity'>): Existing<'identity'> {
    return new Existing(scope, id, { kind: 'identity', link });
  }
}
