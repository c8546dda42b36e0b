import { isObject, type JsonObject, numberAt, objectAt, own } from '../../base/json/json.ts';
import type { GvcFacts } from '../core/gvcFacts.ts';
import type { Platform } from '../core/platform.ts';
import type { Row, Transaction } from '../store/row.ts';
import type { WorkloadFacts } from '../workloads/decisions/facts.ts';
import type { GvcHistory, History } from '../workloads/decisions/rollout.ts';
import { waitsFor } from './workloadNeeds.ts';

export function workloadFacts(platform: Platform, tx: Transaction, row: Row, gvc: GvcFacts): WorkloadFacts {
  return {
    record: row.record,
    naming: {
      workload: row.name,
      gvc: row.gvc,
      alias: gvc.alias,
      prefix: platform.org,
      format: gvc.namingFormat,
    },
    history: historyOf(tx, row, gvc.history),
    locations: gvc.locations,
    state: row.state,
    nowMs: platform.now(),
    readyAfterMs: platform.settings.readyAfterMs,
  };
}

function historyOf(tx: Transaction, row: Row, gvc: GvcHistory): History {
  const rollout = objectAt(row.state, 'rollout');
  const ready = readyBefore(rollout);
  return {
    version: row.version,
    sinceMs: numberAt(rollout, 'sinceMs') ?? row.createdMs,
    gvc,
    waitsFor: waitsFor(tx, row),
    ...(ready === undefined ? {} : { ready }),
  };
}

function readyBefore(kept: JsonObject): History['ready'] {
  const ready = own(kept, 'ready');
  const version = isObject(ready) ? numberAt(ready, 'version') : undefined;
  return !isObject(ready) || version === undefined ? undefined : { version, sinceMs: numberAt(ready, 'sinceMs') ?? 0 };
}
