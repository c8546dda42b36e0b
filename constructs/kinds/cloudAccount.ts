import type { Construct } from 'constructs';
import type { CloudAccountFields, CloudAccountProps } from '../../generated/interfaces/props.ts';
import { Existing } from '../existing.ts';
import { GrantableResource } from '../grantable.ts';
import { ownFields } from '../ownFields.ts';
import type { LinkTo } from '../references.ts';

type CloudProvider = CloudAccountProps['provider'];

/** Access to an account at a cloud provider. */
export class CloudAccount<Provider extends CloudProvider = CloudProvider> extends GrantableResource<'cloudaccount'> {
  readonly provider: Provider;

  constructor(
    scope: Construct,
    id: string,
    props: {
      /** Cloud provider of the account, which determines the form of `data`. */
      readonly provider: Provider;
    } & CloudAccountFields[Provider],
  ) {
    super(scope, id, 'cloudaccount', props, ownFields(props));
    this.provider = props.provider;
  }

  /** A cloud account that exists without this stack. */
  static fromName(scope: Construct, id: string, name: string): Existing<'cloudaccount'> {
    return new Existing(scope, id, { kind: 'cloudaccount', name });
  }

  /** A cloud account that exists without this stack, by its link. Errors: `stack.link`. */
  static fromLink(scope: Construct, id: string, link: LinkTo<'cloudaccount'>): Existing<'cloudaccount'> {
    return new Existing(scope, id, { kind: 'cloudaccount', link });
  }
}
