import type { Construct } from 'constructs';
import type { IpSetProps } from '../../generated/interfaces/props.ts';
import { Resource } from '../resource.ts';
import { ownFields } from './ownFields.ts';

/** Reserved addresses for a workload or a GVC. */
export class IpSet extends Resource<'ipset'> {
  constructor(scope: Construct, id: string, props: IpSetProps = {}) {
    super(scope, id, 'ipset', props, { spec: ownFields(props) });
  }
}
