import type { Construct } from 'constructs';
import type { LocationProps } from '../../generated/interfaces/props.ts';
import { Resource } from '../resource.ts';
import { ownFields } from './ownFields.ts';

/** A place where workloads run. Only self-hosted ones (`provider: 'byok'`) can be created. */
export class Location extends Resource<'location'> {
  constructor(scope: Construct, id: string, props: LocationProps = {}) {
    super(scope, id, 'location', props, ownFields(props));
  }
}
