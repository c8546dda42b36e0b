import { At, adviceOf, tryRead } from '../base/form/read.ts';
import type { JsonObject } from '../base/json/json.ts';
import { ToolError } from '../base/toolError.ts';
import type { Problem } from '../schema/record/problem.ts';
import { readDump } from './api/snapshot/readDump.ts';
import type { Service } from './core/platform.ts';
import { type Faults, faultsReader } from './http/faults/fault.ts';

/** Replaces the state of the database by that of a snapshot. Errors: `server.snapshot`; the database is then closed. */
export async function loadInitialState(service: Service, snapshot: JsonObject): Promise<void> {
  const problems: Problem[] = [];
  const dump = readDump(snapshot, problems);
  const [first] = problems;
  if (first === undefined && Object.hasOwn(dump, service.home)) return service.load(dump);
  await service.database.close();
  throw new ToolError({
    code: 'server.snapshot',
    message:
      first === undefined
        ? `the snapshot does not contain the org ${service.home}, but ${Object.keys(dump).join(', ')}`
        : `the snapshot cannot be used: ${first.path}: ${first.message}`,
    hint: 'Use a snapshot from GET /-snapshot; --org names an org in it.',
  });
}

/** The initial faults. Errors: `server.faults`, with the first problem. */
export function initialFaults(body: JsonObject): Faults {
  const read = tryRead(() => faultsReader.read(body, new At()));
  if ('value' in read) return read.value;
  throw new ToolError({
    code: 'server.faults',
    message: `the faults cannot be used: ${adviceOf(read.problems[0])}`,
    hint:
      'They are {seed, faults: [{method, path, probability, at, times, latency, status, drop, reset, stale, ' +
      'slowDeletion, ignorePrecondition}]}.',
  });
}
