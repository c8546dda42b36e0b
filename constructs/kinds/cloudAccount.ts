import type { Construct } from 'constructs';
import type { CloudAccountProps } from '../../generated/interfaces/props.ts';
import { Resource } from '../resource.ts';
import { ownFields } from './ownFields.ts';

/** Access to an account at a cloud provider. */
export class CloudAccount extends Resource<'cloudaccount'> {
  constructor(scope: Construct, id: string, props: CloudAccountProps) {
    super(scope, id, 'cloudaccount', props, ownFields(props));
  }
}
