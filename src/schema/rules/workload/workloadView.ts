import { workloadTypeOf } from '../../facts/workloadTypes.ts';
import { isObject, type JsonObject, objectAt, own, stringAt } from '../../json/json.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { RecordContext } from '../../record/context.ts';
import { type Item, itemsAt } from '../model/reading.ts';
import { type Subject, sharedView } from '../model/rule.ts';
import { type Amounts, amountsOf } from './amounts.ts';
import { type PortUse, servedPorts } from './containerPorts.ts';

export class ContainerView {
  readonly value: JsonObject;
  readonly pointer: Pointer;
  /** For messages; its place in the list when it has no name. */
  readonly label: string;
  #ports: readonly PortUse[] | undefined;
  #amounts: Amounts | undefined;

  constructor({ value, index }: Item) {
    this.value = value;
    this.pointer = ['spec', 'containers', index];
    this.label = JSON.stringify(stringAt(value, 'name') ?? index);
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
export interface OptionsView {
  readonly value: JsonObject;
  readonly pointer: Pointer;
  readonly autoscaling: JsonObject;
  readonly metric: string | undefined;
  /** Scaling by keda, whether or not the metric says so (it is derived from the block when omitted). */
  readonly usesKeda: boolean;
}

/** The data that the rules of a workload use (platform/workload). */
export interface WorkloadView {
  readonly record: JsonObject;
  readonly context: RecordContext;
  readonly spec: JsonObject;
  /** `serverless` when omitted (platform/concepts.filled). */
  readonly type: string;
  readonly containers: readonly ContainerView[];
  readonly options: readonly OptionsView[];
}

export const workloadView = sharedView(({ record, context }: Subject): WorkloadView => {
  const spec = objectAt(record, 'spec');
  const containers = itemsAt(spec, 'containers').map((item) => new ContainerView(item));
  const options: OptionsView[] = [];
  const defaults = own(spec, 'defaultOptions');
  if (isObject(defaults)) options.push(optionsView(defaults, ['spec', 'defaultOptions']));
  for (const { index, value } of itemsAt(spec, 'localOptions')) {
    options.push(optionsView(value, ['spec', 'localOptions', index]));
  }
  return { record, context, spec, type: workloadTypeOf(record), containers, options };
});

function optionsView(value: JsonObject, pointer: Pointer): OptionsView {
  const autoscaling = objectAt(value, 'autoscaling');
  const metric = stringAt(autoscaling, 'metric');
  return { value, pointer, autoscaling, metric, usesKeda: metric === 'keda' || Object.hasOwn(autoscaling, 'keda') };
}
