import type { WorkloadProps } from '../../generated/interfaces/props.ts';
import { ToolError } from '../../src/base/toolError.ts';
import { internalDomain } from '../../src/schema/facts/hostNames.ts';
import { isUnusable, report } from '../mistakes.ts';
import type { Target } from '../target.ts';

export interface InternalUrlOptions {
  /** @default that of the protocol of the port; `http`, where it is not known */
  readonly scheme?: string | undefined;
}

/** A port that a workload listens on. */
interface ServedPort {
  readonly number: number;
  readonly protocol?: 'http' | 'http2' | 'grpc' | 'tcp' | undefined;
}

const schemes = { http: 'http', http2: 'http', grpc: 'grpc', tcp: 'tcp' } as const;

/** Where an installation has another domain than the embedded platform, the tree says so under this key. */
const domainKey = 'gantry:internal-domain';

/** `WORKLOAD.GVC.DOMAIN` (platform/lifecycle.endpoints). */
export function internalHost(workload: Target<'workload'>): string {
  const { gvc, name, node } = workload;
  if (gvc === undefined) {
    const error = wrong(
      `the address of the workload "${name}" is not known here: its GVC comes from --gvc or gantry.yaml`,
      'Make it inside of a Gvc, or name the GVC: gvc: "shop".',
    );
    if (!isUnusable(workload)) report(error, workload); // else there is no GVC, which was told
  }
  const domain: unknown = node.tryGetContext(domainKey);
  return `${name}.${gvc ?? 'gvc'}.${typeof domain === 'string' ? domain : internalDomain}`;
}

/** `ports`: those that the workload has; absent: nobody knows. */
export function internalUrl(
  workload: Target<'workload'>,
  port: number | undefined,
  { ports, scheme }: InternalUrlOptions & { readonly ports?: readonly ServedPort[] },
): string {
  const served = port === undefined ? ports?.[0] : ports?.find(({ number }) => number === port);
  const number = port ?? served?.number;
  if (number === undefined || (ports !== undefined && served === undefined)) {
    const known = ports === undefined || ports.length === 0 ? 'none' : ports.map((each) => each.number).join(', ');
    const what = port === undefined ? 'no port' : `no port ${port}`;
    report(wrong(`the workload "${workload.name}" has ${what}`, `Ports of its containers: ${known}.`), workload);
  }
  return `${scheme ?? schemes[served?.protocol ?? 'http']}://${internalHost(workload)}:${number ?? 80}`;
}

/** The ports of all containers. */
export function portsOf({ containers }: WorkloadProps): readonly ServedPort[] {
  return containers.flatMap((container): readonly ServedPort[] =>
    'ports' in container ? (container.ports ?? []) : [],
  );
}

function wrong(message: string, hint: string): ToolError {
  return new ToolError({ code: 'stack.port', message, hint });
}
