import { isObject, type JsonObject, type JsonValue, listAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import type { FieldFacts } from '../../schema/facts/fieldFacts.ts';
import { workloadTypeOf } from '../../schema/facts/workloadTypes.ts';

/**
 * The objects around a field: first the record, last the object with the field. List items are among them, lists are
 * not.
 */
export type Enclosing = readonly JsonObject[];

type Derive = (enclosing: Enclosing) => JsonValue | undefined;

/**
 * The meaning of an omitted field: its constant, its refill, or a value derived from the rest of the record. Undefined:
 * not known, or absence. Source: platform/concepts.filled.
 */
export function valueWhenOmitted(facts: FieldFacts, enclosing: Enclosing): JsonValue | undefined {
  const derive = facts.derive === undefined ? undefined : derivations.get(facts.derive);
  return derive === undefined ? facts.default : derive(enclosing);
}

function innermost(enclosing: Enclosing, depth = 1): JsonObject {
  return enclosing.at(-depth) ?? {};
}

/** By the names that definitions use. */
const derivations: ReadonlyMap<string, Derive> = new Map(
  Object.entries<Derive>({
    name: (enclosing) => own(innermost(enclosing), 'name'),

    /** `httpGet` is in a probe, the probe in a container (platform/concepts.filled). */
    firstContainerPort: (enclosing) => firstPort(innermost(enclosing, 3)),

    /** By the type of the workload; not with several metrics (platform/workload.autoscaling). */
    autoscalingMetric(enclosing) {
      const autoscaling = innermost(enclosing);
      if (Object.hasOwn(autoscaling, 'multi')) return undefined;
      if (Object.hasOwn(autoscaling, 'keda')) return 'keda';
      switch (workloadTypeOf(enclosing[0] ?? {})) {
        case 'serverless':
          return 'concurrency';
        case 'stateful':
          return 'cpu';
        case 'standard':
          return own(innermost(enclosing, 2), 'capacityAI') === false ? 'cpu' : 'disabled';
        default:
          return undefined;
      }
    },

    autoscalingTarget(enclosing) {
      const autoscaling = innermost(enclosing);
      if (Object.hasOwn(autoscaling, 'multi') || Object.hasOwn(autoscaling, 'keda')) return undefined;
      const metric = own(autoscaling, 'metric');
      return metric === undefined || metric === 'keda' || metric === 'disabled' ? undefined : 95;
    },

    /** Off for stateful, and where the platform could not use it; ignored for cron (platform/workload.capacity-ai). */
    capacityAI(enclosing) {
      if (workloadTypeOf(enclosing[0] ?? {}) === 'stateful') return false;
      const autoscaling = objectAt(innermost(enclosing), 'autoscaling');
      if (own(autoscaling, 'metric') === 'cpu' || Object.hasOwn(autoscaling, 'multi')) return false;
      return !usesGpu(enclosing);
    },

    dnsMode: (enclosing) => (stringAt(innermost(enclosing), 'gvcLink') === undefined ? 'cname' : 'ns'),

    routePrefix: (enclosing) => (stringAt(innermost(enclosing), 'regex') === undefined ? '/' : undefined),

    /** Port 443 has TLS unless it is plain TCP (platform/concepts.filled, rule D20). */
    tls: (enclosing) => (endsTls(innermost(enclosing)) ? {} : undefined),

    performanceClass: (enclosing) => (own(innermost(enclosing), 'fileSystemType') === 'shared' ? 'shared' : undefined),

    /** `predictive` is in `autoscaling`, whose factor it inherits (platform/volumeset). */
    predictiveScalingFactor: (enclosing) => own(innermost(enclosing, 2), 'scalingFactor'),
  }),
);

function usesGpu(enclosing: Enclosing): boolean {
  const containers = listAt(objectAt(enclosing[0] ?? {}, 'spec'), 'containers');
  // The empty object means the same as absence (platform/concepts.filled).
  return containers.some((container) => isObject(container) && Object.keys(objectAt(container, 'gpu')).length > 0);
}

/** The first of `ports`, else the legacy `port`. */
function firstPort(container: JsonObject): JsonValue | undefined {
  const [first] = listAt(container, 'ports');
  return isObject(first) ? own(first, 'number') : own(container, 'port');
}

/** A port without a number is 443, also if an answer omits defaults. */
function endsTls(port: JsonObject): boolean {
  // An installation may answer a number as text, and a word in another case.
  return Number(own(port, 'number') ?? 443) === 443 && stringAt(port, 'protocol')?.toLowerCase() !== 'tcp';
}
