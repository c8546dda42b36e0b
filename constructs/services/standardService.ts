import type { Construct } from 'constructs';
import type { Port, StandardWorkloadProps } from '../../generated/interfaces/props.ts';
import { Workload } from '../kinds/workload.ts';
import type { BeingMade } from '../mistakes.ts';
import type { DurationText } from '../quantities.ts';
import { checkNames, type PropNames } from './propNames.ts';
import {
  containerFields,
  firewallOf,
  probes,
  requestOptions,
  resourceFields,
  type ServerProps,
  serverNames,
} from './serviceProps.ts';

export interface StandardServiceProps extends ServerProps {
  /** Port that the program listens on. Without one it gets no requests, like a worker. */
  readonly port?: number | undefined;
  /** Protocol spoken on the port. @default http */
  readonly protocol?: Port['protocol'];
  /** The number of replicas, and when it grows. */
  readonly scale?: StandardScale | undefined;
  /** Timeout of one request, at most an hour. @default 5s */
  readonly timeout?: DurationText | undefined;
}

export interface StandardScale {
  /** Minimum number of replicas, at least 1. @default 1 */
  readonly min?: number | undefined;
  /** Maximum number of replicas. @default 5 */
  readonly max?: number | undefined;
  /** Percentage of its CPU that a replica should use. */
  readonly cpu?: number | undefined;
}

/**
 * A program that always runs and is updated without downtime: a workload of the type `standard`.
 *
 * ```ts
 * new StandardService(gvc, 'api', { image: 'api:1', port: 8080, callers: [web], scale: { min: 2, max: 6, cpu: 75 } });
 * ```
 *
 * ```yaml
 * kind: workload
 * name: api
 * gvc: shop
 * spec:
 *   type: standard
 *   containers:
 *     - { name: main, image: 'api:1', ports: [{ number: 8080 }] }
 *   defaultOptions: { autoscaling: { metric: cpu, target: 75, minScale: 2, maxScale: 6 } }
 *   firewallConfig:
 *     internal: { inboundAllowType: workload-list, inboundAllowWorkload: [//gvc/shop/workload/web] }
 * ```
 */
export class StandardService extends Workload<'standard'> {
  constructor(scope: Construct, id: string, props: StandardServiceProps) {
    super(scope, id, propsOf(props, { scope, id }));
  }
}

const names: PropNames<StandardServiceProps> = {
  ...serverNames,
  port: true,
  protocol: true,
  scale: true,
  timeout: true,
};
const scaleNames: PropNames<StandardScale> = { cpu: true, max: true, min: true };

function propsOf(props: StandardServiceProps, made: BeingMade): StandardWorkloadProps {
  checkNames(made, { what: 'a StandardService', props, names });
  const { health, port, protocol, scale, timeout } = props;
  checkNames(made, { what: 'scale', props: scale, names: scaleNames });
  return {
    ...resourceFields(props),
    type: 'standard',
    identity: props.identity,
    containers: [
      {
        ...containerFields(props),
        ports: port === undefined ? undefined : [{ number: port, protocol }],
        ...probes(health, port),
      },
    ],
    defaultOptions: requestOptions({ scale, metric: 'cpu', target: scale?.cpu, timeout }),
    firewallConfig: firewallOf(props),
  };
}
