import type { Construct } from 'constructs';
import { Resource, type ResourceProps } from '../resource.ts';

/** An account for programs. Its keys are made outside of manifests. */
export class ServiceAccount extends Resource<'serviceaccount'> {
  constructor(scope: Construct, id: string, props: ResourceProps = {}) {
    super(scope, id, 'serviceaccount', props, {});
  }
}
