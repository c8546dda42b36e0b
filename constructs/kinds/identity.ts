import type { Construct } from 'constructs';
import type { IdentityProps } from '../../generated/interfaces/props.ts';
import { Resource } from '../resource.ts';
import { ownFields } from './ownFields.ts';

/** What workloads may do elsewhere: cloud accounts, private networks, secrets. */
export class Identity extends Resource<'identity'> {
  constructor(scope: Construct, id: string, props: IdentityProps = {}) {
    super(scope, id, 'identity', props, ownFields(props));
  }
}
