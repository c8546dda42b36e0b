import { isObject, type JsonObject, numberAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { compact } from '../../base/json/present.ts';
import { cpuMillicores, memoryBytes } from '../../base/text/quantity.ts';
import { workloadTypeOf } from '../../schema/facts/workloadTypes.ts';
import type { RecordContext } from '../../schema/record/ref.ts';
import { shownOf } from '../../schema/rules/partialRecord.ts';
import { type Item, itemsAt } from '../../schema/rules/reading.ts';
import { type Subject, sharedView } from '../../schema/rules/rule.ts';

/** Read lazily, so that values which no rule needs may be unknown (`PartialRecord`). */
export class ContainerView {
  readonly value: JsonObject;
  readonly pointer: Pointer;
  readonly #index: number;
  #ports: readonly PortUse[] | undefined;
  #amounts: Amounts | undefined;

  constructor({ value, index }: Item) {
    this.value = value;
    this.pointer = ['spec', 'containers', index];
    this.#index = index;
  }

  /** The name for messages, or the position in the list. */
  get label(): string {
    return JSON.stringify(stringAt(shownOf(this.value), 'name') ?? this.#index);
  }

  get served(): readonly PortUse[] {
    this.#ports ??= servedPorts(this.value, this.pointer);
    return this.#ports;
  }

  get amounts(): Amounts {
    this.#amounts ??= amountsOf(this.value);
    return this.#amounts;
  }
}

/** `defaultOptions`, or an item of `localOptions`. */
export class OptionsView {
  readonly value: JsonObject;
  readonly pointer: Pointer;

  constructor(value: JsonObject, pointer: Pointer) {
    this.value = value;
    this.pointer = pointer;
  }

  get autoscaling(): JsonObject {
    return objectAt(this.value, 'autoscaling');
  }

  get metric(): string | undefined {
    return stringAt(this.autoscaling, 'metric');
  }

  /** Whether keda scales it, even if the metric (derived from the block when omitted) does not say so. */
  get usesKeda(): boolean {
    return this.metric === 'keda' || Object.hasOwn(this.autoscaling, 'keda');
  }
}

/** The data for the rules of a workload (platform/workload). */
export class WorkloadView {
  readonly record: JsonObject;
  readonly context: RecordContext;
  #spec: JsonObject | undefined;
  #type: string | undefined;
  #containers: readonly ContainerView[] | undefined;
  #options: readonly OptionsView[] | undefined;

  constructor({ record, context }: Subject) {
    this.record = record;
    this.context = context;
  }

  get spec(): JsonObject {
    this.#spec ??= objectAt(this.record, 'spec');
    return this.#spec;
  }

  /** `serverless` when omitted (platform/concepts.filled). */
  get type(): string {
    this.#type ??= workloadTypeOf(this.record);
    return this.#type;
  }

  get containers(): readonly ContainerView[] {
    this.#containers ??= itemsAt(this.spec, 'containers').map((item) => new ContainerView(item));
    return this.#containers;
  }

  get options(): readonly OptionsView[] {
    this.#options ??= this.#readOptions();
    return this.#options;
  }

  #readOptions(): readonly OptionsView[] {
    const defaults = own(this.spec, 'defaultOptions');
    return [
      ...(isObject(defaults) ? [new OptionsView(defaults, ['spec', 'defaultOptions'])] : []),
      ...itemsAt(this.spec, 'localOptions').map(
        ({ index, value }) => new OptionsView(value, ['spec', 'localOptions', index]),
      ),
    ];
  }
}

export const workloadView = sharedView((subject: Subject) => new WorkloadView(subject));

export const mebibyte = 1024 ** 2;

/** Millicores and bytes, with the platform's defaults (platform/workload.containers). Undefined if not a quantity. */
interface Amounts {
  readonly cpu: number | undefined;
  readonly memory: number | undefined;
  readonly minCpu: number | undefined;
  readonly minMemory: number | undefined;
}

export function amountsOf(container: JsonObject): Amounts {
  return {
    cpu: amount(container, 'cpu', cpuMillicores, 50),
    memory: amount(container, 'memory', memoryBytes, 128 * mebibyte),
    minCpu: amount(container, 'minCpu', cpuMillicores),
    minMemory: amount(container, 'minMemory', memoryBytes),
  };
}

function amount(
  container: JsonObject,
  key: string,
  parse: (text: string | number) => number | undefined,
  otherwise?: number,
): number | undefined {
  const value = own(container, key);
  if (value === undefined) return otherwise;
  return typeof value === 'string' || typeof value === 'number' ? parse(value) : undefined;
}

/** A port number in a container, with its place. */
interface PortUse {
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

/** Ports of metrics and probes, which are named without being served. */
export function otherPorts(container: JsonObject, at: Pointer): readonly NamedPort[] {
  const metrics = numberAt(objectAt(container, 'metrics'), 'port');
  const ofMetrics = metrics === undefined ? undefined : { number: metrics, pointer: [...at, 'metrics', 'port'] };
  return compact([ofMetrics, ...probePorts(container, at)]);
}

/** The ports that the probes of a container use. */
export function probePorts(
  container: JsonObject,
  at: Pointer,
): readonly (NamedPort & { readonly probe: (typeof probes)[number] })[] {
  return probes.flatMap((probe) => {
    const value = own(container, probe);
    if (!isObject(value)) return [];
    return compact(portHandlers, (handler) => {
      const number = numberAt(objectAt(value, handler), 'port');
      return number === undefined ? undefined : { number, probe, pointer: [...at, probe, handler, 'port'] };
    });
  });
}

/** Ports reserved by the platform (platform/workload.ports). */
export const reservedPorts: ReadonlySet<number> = new Set([
  8012, 8022, 9090, 9091, 15000, 15001, 15006, 15020, 15021, 15090, 41000,
]);

/** Why a port cannot be used; undefined if it can. */
export function portProblem(number: number, highest = 65_535): string | undefined {
  if (reservedPorts.has(number)) return `the port ${number} is reserved by the platform`;
  if (!Number.isInteger(number) || number < 80 || number > highest) {
    return `the port ${number} must be between 80 and ${highest}`;
  }
  return undefined;
}
