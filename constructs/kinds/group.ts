import type { Construct } from 'constructs';
import type { GroupProps } from '../../generated/interfaces/props.ts';
import { Resource } from '../resource.ts';
import { ownFields } from './ownFields.ts';

/** Users and service accounts under one name. */
export class Group extends Resource<'group'> {
  constructor(scope: Construct, id: string, props: GroupProps = {}) {
    super(scope, id, 'group', props, ownFields(props));
  }
}
