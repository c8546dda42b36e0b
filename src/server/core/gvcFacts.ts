import { numberAt, objectAt, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { lastSegment } from '../../schema/record/ref.ts';
import type { Row } from '../store/model/row.ts';
import type { WorkloadFacts } from '../workloads/decisions/facts.ts';
import type { GvcHistory } from '../workloads/decisions/rollout.ts';

/** The facts of a GVC that its workloads and domains are shown with. */
export interface GvcFacts {
  readonly uid: string;
  readonly version: number;
  readonly alias: string;
  readonly locations: WorkloadFacts['locations'];
  readonly history: GvcHistory;
  readonly namingFormat: string | undefined;
  /** The name of the workload that the alias of the GVC leads to. */
  readonly aliasWorkload: string | undefined;
}

export const absentGvc: GvcFacts = {
  uid: '',
  version: 0,
  alias: '',
  locations: [],
  history: { version: 0, sinceMs: 0 },
  namingFormat: undefined,
  aliasWorkload: undefined,
};

/** `names`: its current locations. */
export function gvcFacts(row: Row, names: readonly string[]): GvcFacts {
  const since = objectAt(row.state, 'placedMs');
  const spec = objectAt(row.record, 'spec');
  const aliasWorkload = stringAt(spec, 'aliasWorkloadLink');
  return {
    uid: row.uid,
    version: row.version,
    alias: stringAt(objectAt(row.state, 'shown'), 'alias') ?? '',
    locations: names.map((name) => ({ name, sinceMs: numberAt(since, name) ?? row.createdMs })),
    history: gvcHistoryOf(row),
    namingFormat: stringAt(spec, 'endpointNamingFormat'),
    aliasWorkload: aliasWorkload === undefined ? undefined : lastSegment(aliasWorkload),
  };
}

/** When the GVC last changed something for its workloads: `state.concerning`, written by `records/derived/platformState.ts`. */
function gvcHistoryOf(row: Row): GvcHistory {
  const stored = objectAt(row.state, 'concerning');
  const before = numberAt(stored, 'before');
  return {
    version: numberAt(stored, 'version') ?? 1,
    sinceMs: numberAt(stored, 'sinceMs') ?? row.createdMs,
    ...present({ before }),
  };
}
