import type { Construct } from 'constructs';
import type { PolicyProps } from '../../generated/interfaces/props.ts';
import { Resource } from '../resource.ts';
import { ownFields } from './ownFields.ts';

/** Who may do what with which resources. */
export class Policy extends Resource<'policy'> {
  constructor(scope: Construct, id: string, props: PolicyProps) {
    super(scope, id, 'policy', props, ownFields(props));
  }
}
