import type { Construct } from 'constructs';
import type { WorkloadSpec } from '../../src/schema/kinds/workload/workload.ts';
import type { Linkable, Linked } from '../linked.ts';
import { ownFields } from '../own.ts';
import { type GvcScopedProps, Resource } from '../resource.ts';

export interface WorkloadProps extends GvcScopedProps, Omit<Linked<WorkloadSpec>, 'identityLink'> {
  /** What it may do elsewhere, and which secrets it may read. */
  readonly identity?: string | Linkable<'identity'> | undefined;
}

/** Containers of one type (serverless, standard, stateful, cron) in the locations of its GVC. */
export class Workload extends Resource<'workload'> {
  readonly #props: WorkloadProps;

  constructor(scope: Construct, id: string, props: WorkloadProps) {
    super(scope, id, 'workload', props);
    this.#props = props;
  }

  protected override content(): { readonly [field: string]: unknown } {
    const { type, identity } = this.#props;
    return { spec: { type, identityLink: identity, ...ownFields(this.#props, 'identity') } };
  }
}
