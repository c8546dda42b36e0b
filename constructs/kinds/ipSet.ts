import type { Construct } from 'constructs';
import type { IpSetProps } from '../../generated/interfaces/props.ts';
import { Existing } from '../existing.ts';
import { IpSetLists } from '../generated/lists.ts';
import type { LinkTo } from '../values/references.ts';
import { ownFields } from './ownFields.ts';

/** Reserved addresses for a workload or a GVC. */
export class IpSet extends IpSetLists {
  constructor(scope: Construct, id: string, props: IpSetProps = {}) {
    super(scope, id, 'ipset', props, { spec: ownFields(props) });
  }

  /** An IP set that exists without this stack. */
  static fromName(scope: Construct, id: string, name: string): Existing<'ipset'> {
    return new Existing(scope, id, { kind: 'ipset', name });
  }

  /** An IP set that exists without this stack, by its link. Errors: `stack.link`. */
  static fromLink(scope: Construct, id: string, link: LinkTo<'ipset'>): Existing<'ipset'> {
    return new Existing(scope, id, { kind: 'ipset', link });
  }
}
