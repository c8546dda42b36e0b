import type { Construct } from 'constructs';
import type { WorkloadProps } from '../../generated/interfaces/props.ts';
import { Resource } from '../resource.ts';
import { ownFields } from './ownFields.ts';

/** Containers of one type (serverless, standard, stateful, cron) in the locations of its GVC. */
export class Workload extends Resource<'workload'> {
  constructor(scope: Construct, id: string, props: WorkloadProps) {
    const { type, identity } = props;
    super(scope, id, 'workload', props, { spec: { type, identityLink: identity, ...ownFields(props, 'identity') } });
  }
}
