import type { Construct } from 'constructs';
import type { CloudAccountProps } from '../../generated/interfaces/props.ts';
import { Resource } from '../resource.ts';
import { ownFields } from './ownFields.ts';

type CloudProvider = CloudAccountProps['provider'];

/** Access to an account at a cloud provider. */
export class CloudAccount<Provider extends CloudProvider = CloudProvider> extends Resource<'cloudaccount'> {
  readonly provider: Provider;

  constructor(scope: Construct, id: string, props: CloudAccountProps & { readonly provider: Provider }) {
    super(scope, id, 'cloudaccount', props, ownFields(props));
    this.provider = props.provider;
  }
}
