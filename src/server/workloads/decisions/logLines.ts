import { isObject, type JsonObject, listAt, numberAt, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { compact } from '../../../base/json/present.ts';
import { readCronState } from '../../cron/decisions/cronState.ts';
import { type Execution, replicaOf } from '../../cron/decisions/execution.ts';
import type { LocationFacts } from './facts.ts';
import { readDemand } from './scale.ts';

/** A line of a container. The time is in milliseconds since 1970. */
export interface LogLine {
  readonly atMs: number;
  readonly location: string;
  readonly replica: string;
  readonly container: string;
  readonly text: string;
}

interface LogFacts {
  readonly record: JsonObject;
  readonly state: JsonObject;
  readonly version: number;
  readonly nowMs: number;
  readonly places: readonly LocationFacts[];
  /** The start and end of the last rollout. */
  readonly rollout: readonly { readonly atMs: number; readonly event: { readonly status: string } }[];
}

/**
 * The lines that containers would have written, in order of time. No container runs here, so the lines describe the
 * simulation. They are derived from the stored state, so nothing must be logged.
 */
export function logLines(logged: LogFacts): readonly LogLine[] {
  const { record, state, nowMs, places } = logged;
  const lines =
    stringAt(objectAt(record, 'spec'), 'type') === 'cron'
      ? Object.entries(objectAt(state, 'cron')).flatMap(([location, cron]) =>
          readCronState(cron).executions.flatMap((execution) => executionLines(execution, location)),
        )
      : places.flatMap((place) => servingLines(logged, place));
  return lines.filter(({ atMs }) => atMs <= nowMs).toSorted((a, b) => a.atMs - b.atMs);
}

function servingLines({ record, state, version, rollout }: LogFacts, place: LocationFacts): readonly LogLine[] {
  const { location, replicas, restarts } = place;
  const containers = listAt(objectAt(record, 'spec'), 'containers').filter(isObject);
  const demand = readDemand(state, location);
  return replicas.flatMap((replica) =>
    containers.flatMap((container, index) => {
      const line = (atMs: number, text: string): LogLine => {
        return { atMs, location, replica, container: stringAt(container, 'name') ?? '', text };
      };
      const restart = index === 0 ? restarts.get(replica) : undefined;
      return compact([
        ...rollout.flatMap(({ atMs, event }) =>
          event.status === 'rollout started'
            ? [line(atMs, startText(container, version))]
            : [...probeTexts(container), `ready in version ${version}`].map((text) => line(atMs, text)),
        ),
        demand === undefined || index > 0 ? undefined : line(demand.sinceMs, demandText(demand, replicas.length)),
        ...(restart === undefined
          ? []
          : [
              line(restart.atMs, `stopped with exit code ${restart.exitCode}: ${restart.reason}`),
              line(restart.atMs, `${startText(container, version)}, restart ${restart.count}`),
            ]),
      ]);
    }),
  );
}

function startText(container: JsonObject, version: number): string {
  return `starting ${stringAt(container, 'image') ?? ''}, version ${version}`;
}

/** Texts such as `readiness probe GET :8080/health passed`. */
function probeTexts(container: JsonObject): readonly string[] {
  return (['readiness', 'liveness'] as const).flatMap((name) => {
    const probe = own(container, `${name}Probe`);
    return isObject(probe) ? [`${name} probe ${probeText(probe)} passed`] : [];
  });
}

function probeText(probe: JsonObject): string {
  const [http, tcp, grpc] = [objectAt(probe, 'httpGet'), objectAt(probe, 'tcpSocket'), objectAt(probe, 'grpc')];
  const at = (of: JsonObject) => (numberAt(of, 'port') === undefined ? '' : `:${numberAt(of, 'port')}`);
  if (Object.hasOwn(probe, 'httpGet')) return `GET ${at(http)}${stringAt(http, 'path') ?? '/'}`;
  if (Object.hasOwn(probe, 'tcpSocket')) return `TCP ${at(tcp)}`.trimEnd();
  if (Object.hasOwn(probe, 'grpc')) return `gRPC ${at(grpc)}`.trimEnd();
  return listAt(objectAt(probe, 'exec'), 'command').map(String).join(' ');
}

/** `load` is the sum for all replicas of a location. */
function demandText({ load, replicas }: NonNullable<ReturnType<typeof readDemand>>, among: number): string {
  const what = load === undefined ? `${replicas ?? 0} replicas are simulated` : `requests of the virtual load: ${load}`;
  return `${what}, among ${among} of this location`;
}

function executionLines(execution: Execution, location: string): readonly LogLine[] {
  const { startMs, endMs, failures, failedMs, exitCode, status, message } = execution;
  const replica = replicaOf(execution);
  return Object.entries(execution.containers).flatMap(([container, fields]) => {
    const line = (atMs: number, text: string): LogLine => ({ atMs, location, replica, container, text });
    const image = isObject(fields) ? (stringAt(fields, 'image') ?? '') : '';
    return compact([
      line(startMs, `starting ${image}, run ${execution.name}`),
      failedMs === undefined
        ? undefined
        : line(failedMs, `failed with exit code ${exitCode ?? 0}, failure ${failures}`),
      endMs === undefined ? undefined : line(endMs, `ended: ${status}${message === '' ? '' : `, ${message}`}`),
    ]);
  });
}
