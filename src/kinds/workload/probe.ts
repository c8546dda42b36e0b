import {
  constant,
  derived,
  fields,
  integer,
  keyed,
  oneOf,
  optional,
  proposedKey,
  sequence,
  stored,
  text,
} from '../../schema/facts/define.ts';
import type { FieldFacts } from '../../schema/facts/fieldFacts.ts';
import { portNumber } from '../common/fields.ts';

const header = fields({ name: text(), value: optional(text({ emptyIsAbsent: true })) });

/**
 * A health check of a container (platform/workload.containers, platform/workload.probes). Exactly one handler is rule
 * W27.
 */
export function probe(initialDelay: FieldFacts) {
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
export function execAction() {
  return fields({ command: sequence(text(), {}, { minItems: 1 }) }, { presence: true });
}
