import type { Construct } from 'constructs';
import type { ServerlessWorkloadProps } from '../../generated/interfaces/props.ts';
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

export interface ServerlessServiceProps extends ServerProps {
  /** Port that the program listens on, for HTTP. @default 8080 */
  readonly port?: number | undefined;
  /** Protocol spoken on the port. @default http */
  readonly protocol?: 'http' | 'http2' | 'grpc' | undefined;
  /** Number of replicas, and when it grows. `min: 0` lets it sleep. `concurrency`: concurrent requests per replica. */
  readonly scale?: ServerlessScale | undefined;
  /** Timeout of one request, at most 10 minutes. @default 5s */
  readonly timeout?: DurationText | undefined;
}

export interface ServerlessScale {
  /** Minimum number of replicas; with 0 it sleeps while there are no requests. @default 1 */
  readonly min?: number | undefined;
  /** Maximum number of replicas. @default 5 */
  readonly max?: number | undefined;
  /** Concurrent requests per replica, above which another replica is added. */
  readonly concurrency?: number | undefined;
}

/**
 * A program that answers HTTP requests, scales with them and may sleep: a workload of the type `serverless`.
 *
 * ```ts
 * new ServerlessService(gvc, 'web', { image: 'shop:1', public: true, health: '/ready', scale: { min: 0, max: 10 } });
 * ```
 *
 * ```yaml
 * kind: workload
 * name: web
 * gvc: shop
 * spec:
 *   type: serverless
 *   containers:
 *     - name: main
 *       image: shop:1
 *       ports: [{ number: 8080 }]
 *       readinessProbe: { httpGet: { path: /ready, port: 8080 } }
 *       livenessProbe: { httpGet: { path: /ready, port: 8080 } }
 *   defaultOptions: { autoscaling: { minScale: 0, maxScale: 10 } }
 *   firewallConfig: { external: { inboundAllowCIDR: [0.0.0.0/0] } }
 * ```
 */
export class ServerlessService extends Workload<'serverless'> {
  constructor(scope: Construct, id: string, props: ServerlessServiceProps) {
    super(scope, id, propsOf(props, { scope, id }));
  }
}

const names: PropNames<ServerlessServiceProps> = {
  ...serverNames,
  port: true,
  protocol: true,
  scale: true,
  timeout: true,
};
const scaleNames: PropNames<ServerlessScale> = { concurrency: true, max: true, min: true };

function propsOf(props: ServerlessServiceProps, made: BeingMade): ServerlessWorkloadProps {
  checkNames(made, { what: 'a ServerlessService', props, names });
  const { health, port = 8080, protocol, scale, timeout } = props;
  checkNames(made, { what: 'scale', props: scale, names: scaleNames });
  return {
    ...resourceFields(props),
    type: 'serverless',
    identity: props.identity,
    containers: [{ ...containerFields(props), ports: [{ number: port, protocol }], ...probes(health, port) }],
    defaultOptions: requestOptions({ scale, metric: 'concurrency', target: scale?.concurrency, timeout }),
    firewallConfig: firewallOf(props),
  };
}
