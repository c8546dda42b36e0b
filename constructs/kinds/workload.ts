import type { Construct } from 'constructs';
import type { WorkloadProps } from '../../generated/interfaces/props.ts';
import type { WorkloadType } from '../../src/schema/facts/workloadTypes.ts';
import { Resource } from '../resource.ts';
import { ownFields } from './ownFields.ts';

/** Containers of one type (serverless, standard, stateful, cron) in the locations of its GVC. */
export class Workload<Type extends WorkloadType = WorkloadType> extends Resource<'workload'> {
  readonly type: Type;

  /** `type` alone says which props there are: the compiler then reports what is wrong with those of that type. */
  constructor(scope: Construct, id: string, props: WorkloadProps & { readonly type: Type }) {
    const { type, identity } = props;
    super(scope, id, 'workload', props, { spec: { type, identityLink: identity, ...ownFields(props, 'identity') } });
    this.type = type;
  }
}
