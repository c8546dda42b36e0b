import { isObject, type JsonObject, numberAt, objectAt, own, stringAt } from '../../../base/json/json.ts';

/** The number of restarts of a replica, and the reason of the last one. */
export interface Restart {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly exitCode: number;
  readonly reason: string;
}

const none: ReadonlyMap<string, Restart> = new Map();

/** The restarts in a location by replica name; only of existing replicas. */
export function readRestarts(
  state: JsonObject,
  location: string,
  replicas: readonly string[],
): ReadonlyMap<string, Restart> {
  const stored = own(objectAt(state, 'restarts'), location);
  if (!isObject(stored)) return none;
  const found = new Map<string, Restart>();
  for (const replica of replicas) {
    const restart = own(stored, replica);
    if (isObject(restart)) found.set(replica, readRestart(restart));
  }
  return found;
}

function readRestart(kept: JsonObject): Restart {
  return {
    count: numberAt(kept, 'count') ?? 0,
    atMs: numberAt(kept, 'atMs') ?? 0,
    exitCode: numberAt(kept, 'exitCode') ?? 0,
    reason: stringAt(kept, 'reason') ?? '',
  };
}

/** The state after one more restart; deleted replicas are dropped. */
export function withRestart(
  state: JsonObject,
  { location, replicas }: { readonly location: string; readonly replicas: readonly string[] },
  replica: string,
  last: Omit<Restart, 'count'>,
): JsonObject {
  const known = readRestarts(state, location, replicas);
  const others = Object.fromEntries([...known].map(([name, restart]) => [name, { ...restart }]));
  const count = (known.get(replica)?.count ?? 0) + 1;
  const here = { ...others, [replica]: { count, ...last } };
  return { ...state, restarts: { ...objectAt(state, 'restarts'), [location]: here } };
}

/**
 * The restarts of all replicas in a location, as a container shows them (platform/lifecycle.deployment); empty if there
 * were none.
 */
export function restartsShown(restarts: ReadonlyMap<string, Restart>): JsonObject {
  const [last] = [...restarts.values()].toSorted((a, b) => b.atMs - a.atMs);
  if (last === undefined) return {};
  const count = [...restarts.values()].reduce((sum, restart) => sum + restart.count, 0);
  const lastRestartTime = new Date(last.atMs).toISOString();
  return { restarts: { count, lastRestartTime, exitCode: last.exitCode, reason: last.reason } };
}
