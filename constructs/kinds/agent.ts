import type { Construct } from 'constructs';
import { Resource, type ResourceProps } from '../resource.ts';

/** A way into a private network. */
export class Agent extends Resource<'agent'> {
  constructor(scope: Construct, id: string, props: ResourceProps = {}) {
    super(scope, id, 'agent', props, {});
  }
}
