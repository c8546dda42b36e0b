import { isObject, type JsonObject, numberAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { itemsAt } from '../../schema/rules/reading.ts';

/** A port number somewhere in a container, and where. */
export interface PortUse {
  readonly number: number;
  readonly pointer: Pointer;
  readonly protocol: string;
}

/** The ports that a container serves: `ports`, and the legacy `port`. */
export function servedPorts(container: JsonObject, at: Pointer): readonly PortUse[] {
  const served: PortUse[] = [];
  const legacy = numberAt(container, 'port');
  if (legacy !== undefined) served.push({ number: legacy, pointer: [...at, 'port'], protocol: 'http' });
  for (const { index, value } of itemsAt(container, 'ports')) {
    const number = numberAt(value, 'number');
    if (number === undefined) continue;
    served.push({
      number,
      pointer: [...at, 'ports', index, 'number'],
      protocol: stringAt(value, 'protocol') ?? 'http',
    });
  }
  return served;
}

export const probes = ['readinessProbe', 'livenessProbe'] as const;
const portHandlers = ['grpc', 'tcpSocket', 'httpGet'] as const;

type NamedPort = Pick<PortUse, 'number' | 'pointer'>;

/** Ports that are named without being served: of metrics and of probes. */
export function otherPorts(container: JsonObject, at: Pointer): readonly NamedPort[] {
  const metrics = numberAt(objectAt(container, 'metrics'), 'port');
  const ofMetrics = metrics === undefined ? [] : [{ number: metrics, pointer: [...at, 'metrics', 'port'] }];
  return [...ofMetrics, ...probePorts(container, at)];
}

/** The ports on which the probes of a container ask. */
export function probePorts(
  container: JsonObject,
  at: Pointer,
): readonly (NamedPort & { readonly probe: (typeof probes)[number] })[] {
  return probes.flatMap((probe) => {
    const value = own(container, probe);
    if (!isObject(value)) return [];
    return portHandlers.flatMap((handler) => {
      const number = numberAt(objectAt(value, handler), 'port');
      return number === undefined ? [] : [{ number, probe, pointer: [...at, probe, handler, 'port'] }];
    });
  });
}

/** Ports that the platform needs for itself (platform/workload.ports). */
export const reservedPorts: ReadonlySet<number> = new Set([
  8012, 8022, 9090, 9091, 15000, 15001, 15006, 15020, 15021, 15090, 41000,
]);

/** Why a port cannot be used; undefined when it can. */
export function portProblem(number: number, highest = 65_535): string | undefined {
  if (reservedPorts.has(number)) return `the port ${number} is reserved by the platform`;
  if (!Number.isInteger(number) || number < 80 || number > highest) {
    return `the port ${number} must be between 80 and ${highest}`;
  }
  return undefined;
}
