import type { Construct } from 'constructs';
import type { LocationProps } from '../../generated/interfaces/props.ts';
import { Existing } from '../existing.ts';
import { GrantableResource } from '../grantable.ts';
import type { LinkTo } from '../values/references.ts';
import { ownFields } from './ownFields.ts';

/** A place where workloads run. Only self-hosted ones (`provider: 'byok'`) can be created. */
export class Location extends GrantableResource<'location'> {
  constructor(scope: Construct, id: string, props: LocationProps = {}) {
    super(scope, id, 'location', props, ownFields(props));
  }

  /** A location that exists without this stack. */
  static fromName(scope: Construct, id: string, name: string): Existing<'location'> {
    return new Existing(scope, id, { kind: 'location', name });
  }

  /** A location that exists without this stack, by its link. Errors: `stack.link`. */
  static fromLink(scope: Construct, id: string, link: LinkTo<'location'>): Existing<'location'> {
    return new Existing(scope, id, { kind: 'location', link });
  }
}
