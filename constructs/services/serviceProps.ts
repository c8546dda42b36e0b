import type {
  ContainerVolume,
  CronContainer,
  EnvVariable,
  Firewall,
  HttpGetProbe,
  TcpSocketProbe,
  WorkloadProps,
} from '../../generated/interfaces/props.ts';
import type { EnvRecord } from '../environment.ts';
import type { Caller } from '../kinds/workload.ts';
import { type CpuQuantity, Duration, type DurationText, type MemoryQuantity } from '../quantities.ts';
import type { GvcScopedProps } from '../resource.ts';
import { type PropNames, resourceNames } from './propNames.ts';

/** The props of every service: one container, and its identity. */
export interface ServiceProps extends GvcScopedProps {
  /** Image to run: `name:tag`, `host/path:tag`, `name@digest`, or `//image/NAME:TAG` from the registry of the org. */
  readonly image: string;
  /** Replaces the entry point of the image. One string, not a list. */
  readonly command?: string | undefined;
  /** Arguments of the entry point, in this order. */
  readonly args?: readonly string[] | undefined;
  /** Environment variables: by name, or the platform's list. */
  readonly env?: EnvRecord | readonly EnvVariable[] | undefined;
  /** Whether the container also has the variables of its GVC. @default false */
  readonly inheritEnv?: boolean | undefined;
  /** CPU limit: cores (`0.5`) or millicores (`500m`). @default 50m */
  readonly cpu?: CpuQuantity | undefined;
  /** Memory limit: `128Mi`, `2Gi`. @default 128Mi */
  readonly memory?: MemoryQuantity | undefined;
  /** The volumes that it mounts: `files.mount('/files')`, `secret.mount('/secret')`. */
  readonly volumes?: readonly ContainerVolume[] | undefined;
  /** Identity that it acts as: `identity: backend`. Needed to read secrets. */
  readonly identity?: WorkloadProps['identity'];
  /** Hosts on the internet that it may call, or `all`. @default none */
  readonly outbound?: 'all' | readonly string[] | undefined;
}

/** The props of a service that answers requests. */
export interface ServerProps extends ServiceProps {
  /** Whether it is public on the internet, or the address blocks that may call it. @default false */
  readonly public?: boolean | readonly string[] | undefined;
  /**
   * Workloads and agents that may call it inside, or all of the GVC or the org. `allowFrom` adds to them. @default none
   */
  readonly callers?: 'same-gvc' | 'same-org' | readonly Caller[] | undefined;
  /**
   * Path that answers 200 while the program can serve requests, or `tcp`: it can while its port accepts connections.
   * Used to check readiness and liveness. @default none
   */
  readonly health?: `/${string}` | 'tcp' | undefined;
}

export const serviceNames: PropNames<ServiceProps> = {
  ...resourceNames,
  args: true,
  command: true,
  cpu: true,
  env: true,
  identity: true,
  image: 'required',
  inheritEnv: true,
  memory: true,
  outbound: true,
  volumes: true,
};

export const serverNames: PropNames<ServerProps> = { ...serviceNames, callers: true, health: true, public: true };

/** The name of the container of a service. */
export const containerName = 'main';

/** The fields of the container that exist for every type of workload. */
export function containerFields(props: ServiceProps): CronContainer {
  const { args, command, cpu, env, image, inheritEnv, memory, volumes } = props;
  return { name: containerName, image, command, args, cpu, memory, env, inheritEnv, volumes };
}

type Check = HttpGetProbe | TcpSocketProbe;

/** The checks of a service; none if they are not configured. */
export function probes(
  health: string | undefined,
  port: number | undefined,
): { readonly readinessProbe?: Check; readonly livenessProbe?: Check } {
  if (health === undefined) return {};
  const probe: Check = health === 'tcp' ? { tcpSocket: { port } } : { httpGet: { path: health, port } };
  return { readinessProbe: probe, livenessProbe: probe };
}

interface Scaling<Metric> {
  readonly scale: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined;
  /** The metric for adding replicas, and its target per replica. */
  readonly metric: Metric;
  readonly target: number | undefined;
  readonly timeout: DurationText | undefined;
}

/** How the replicas follow the requests, and the timeout of a request; undefined if the props set neither. */
export function requestOptions<const Metric extends string>({ scale, metric, target, timeout }: Scaling<Metric>) {
  if (scale === undefined && timeout === undefined) return undefined;
  const byMetric = target === undefined ? {} : { metric, target };
  return {
    autoscaling: scale === undefined ? undefined : { ...byMetric, minScale: scale.min, maxScale: scale.max },
    timeoutSeconds: timeout === undefined ? undefined : Duration.inSeconds(timeout),
  };
}

/** The firewall rules from the props; undefined if there are none. */
export function firewallOf({ callers, outbound, public: open }: Partial<ServerProps>): Firewall | undefined {
  const inbound = open === true ? everywhere : open === false ? undefined : open;
  const isExternal = inbound !== undefined || outbound !== undefined;
  const external = {
    inboundAllowCIDR: inbound,
    outboundAllowCIDR: outbound === 'all' ? everywhere : undefined,
    outboundAllowHostname: outbound === 'all' ? undefined : outbound,
  };
  const internal =
    typeof callers === 'string' || callers === undefined
      ? { inboundAllowType: callers }
      : ({ inboundAllowType: 'workload-list', inboundAllowWorkload: callers } as const);
  if (!isExternal && callers === undefined) return undefined;
  return { external: isExternal ? external : undefined, internal: callers === undefined ? undefined : internal };
}

const everywhere = ['0.0.0.0/0'];

/** The props that every resource has. */
export function resourceFields(props: GvcScopedProps): GvcScopedProps {
  const { description, gvc, lifecycle, name, renamedFrom, tags } = props;
  return { description, gvc, lifecycle, name, renamedFrom, tags };
}
