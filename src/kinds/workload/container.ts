import { patterns } from '../../base/text/patterns.ts';
import {
  constant,
  derived,
  fields,
  flag,
  integer,
  keyed,
  nameOrObject,
  oneOf,
  optional,
  proposedKey,
  quantity,
  sequence,
  service,
  set,
  stored,
  text,
} from '../../schema/facts/define.ts';
import type { FieldFacts } from '../../schema/facts/fieldFacts.ts';
import { changesEndpoints, reschedules, reserves, reservesIfSet } from '../../schema/facts/riskFacts.ts';
import { containerVolumes, environment, portNumber } from '../common/fields.ts';

const port = fields({
  protocol: optional(oneOf(['http', 'http2', 'grpc', 'tcp'], stored('http'))),
  number: portNumber(),
});

/** An object by the specification, which does not show its members; clients send the name. */
function gpuModel() {
  return nameOrObject(['t4', 'a10g']);
}

const gpu = fields(
  {
    nvidia: optional(
      fields({
        model: gpuModel(),
        quantity: optional(integer({ ...constant(1), ...reservesIfSet }, { minimum: 0, maximum: 4 })),
      }),
    ),
    custom: optional(
      fields({
        resource: text({}, { pattern: patterns.gpuResource.pattern, maxLength: 64 }),
        runtimeClass: optional(text({}, { maxLength: 64 })),
        quantity: integer(reservesIfSet, { minimum: 0, maximum: 8 }),
      }),
    ),
  },
  reschedules,
);

const hook = fields({ exec: optional(execAction()) });

const header = fields({ name: text(), value: optional(text({ emptyIsAbsent: true })) });

/** One container of a workload (platform/workload.containers). */
export const container = fields({
  name: text({ spelling: 'container', ...reserves }, { minLength: 2, maxLength: 64 }),
  image: optional(text({ canonical: 'image' }, { minLength: 1 })),
  workingDir: optional(text({}, { pattern: patterns.absolutePath.pattern })),
  command: optional(text({}, { maxLength: 256 })),
  args: optional(sequence(text())),
  port: optional(portNumber({ ...changesEndpoints, shortFor: 'ports' })),
  ports: optional(keyed(port, proposedKey('number'), { ...changesEndpoints, firstWith: ['number'] })),
  cpu: optional(quantity('cpu', { ...stored('50m'), ...reserves })),
  memory: optional(quantity('memory', { ...stored('128Mi'), ...reserves })),
  minCpu: optional(quantity('cpu', reserves)),
  minMemory: optional(quantity('memory', reserves)),
  env: optional(environment()),
  inheritEnv: optional(flag(stored(false))),
  metrics: optional(
    fields({
      port: portNumber(),
      path: optional(text(stored('/metrics'), { maxLength: 128 })),
      dropMetrics: optional(set(text())),
    }),
  ),
  readinessProbe: optional(probe(constant(10))),
  // Its default changed over time: filled, but never a difference when omitted (platform/workload.probes).
  livenessProbe: optional(probe({ ...service, default: 60, stored: true })),
  gpu: optional(gpu),
  lifecycle: optional(fields({ postStart: optional(hook), preStop: optional(hook) })),
  volumes: optional(containerVolumes()),
});

/**
 * A health check of a container (platform/workload.containers, platform/workload.probes). Exactly one handler is rule
 * W27.
 */
function probe(initialDelay: FieldFacts) {
  return fields(
    {
      exec: optional(execAction()),
      grpc: optional(fields({ port: optional(portNumber({ fill: 'service' })) }, { presence: true })),
      tcpSocket: optional(fields({ port: optional(portNumber({ fill: 'service' })) }, { presence: true })),
      httpGet: optional(
        fields(
          {
            path: optional(text(stored('/'), { maxLength: 256 })),
            port: optional(portNumber(derived('firstContainerPort'))),
            httpHeaders: optional(keyed(header, proposedKey('name'))),
            scheme: optional(oneOf(['HTTP', 'HTTPS'], constant('HTTP'))),
          },
          { presence: true },
        ),
      ),
      initialDelaySeconds: optional(integer(initialDelay, { minimum: 0, maximum: 600 })),
      periodSeconds: optional(integer(constant(10), { minimum: 1, maximum: 600 })),
      timeoutSeconds: optional(integer(constant(1), { minimum: 1, maximum: 600 })),
      successThreshold: optional(integer(constant(1), { minimum: 1, maximum: 20 })),
      failureThreshold: optional(integer(constant(3), { minimum: 1, maximum: 20 })),
    },
    { presence: true },
  );
}

/** A command run in the container. */
function execAction() {
  return fields({ command: sequence(text(), {}, { minItems: 1 }) }, { presence: true });
}
