import type { Construct } from 'constructs';
import type { IpSetSpec } from '../../src/schema/kinds/ipset.ts';
import type { Linkable, Linked } from '../linked.ts';
import { ownFields } from '../own.ts';
import { Resource, type ResourceProps } from '../resource.ts';

type Reservation = NonNullable<IpSetSpec['locations']>[number];

export interface IpSetProps extends ResourceProps, Omit<Linked<IpSetSpec>, 'link' | 'locations'> {
  /** The workload or GVC that uses the addresses; its load balancer names this IP set in return. */
  readonly link?: string | Linkable<'workload' | 'gvc'> | undefined;
  readonly locations?:
    | readonly (Omit<Reservation, 'name'> & { readonly name: string | Linkable<'location'> })[]
    | undefined;
}

/** Reserved addresses for a workload or a GVC. */
export class IpSet extends Resource<'ipset'> {
  readonly #props: IpSetProps;

  constructor(scope: Construct, id: string, props: IpSetProps = {}) {
    super(scope, id, 'ipset', props);
    this.#props = props;
  }

  protected override content(): { readonly [field: string]: unknown } {
    return { spec: ownFields(this.#props) };
  }
}
