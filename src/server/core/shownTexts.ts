import { numberAt, objectAt, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { lastSegment } from '../../schema/record/ref.ts';
import type { Row } from '../store/model/row.ts';
import { SizedMap } from '../store/model/sizedMap.ts';
import type { WorkloadFacts } from '../workloads/decisions/facts.ts';
import type { GvcHistory } from '../workloads/decisions/rollout.ts';

/** In characters. */
const mostText = 40 * 2 ** 20;
const mostGvcText = 8 * 2 ** 20;
/** The approximate size of a key and its objects. */
const perEntry = 200;

interface CachedText {
  /**
   * Weak, because only the store limits the memory of rows. With its secrets a row may be much larger than its text.
   */
  readonly row: WeakRef<Row>;
  readonly gvc: GvcFacts | undefined;
  readonly fromMs: number;
  readonly text: string;
}

interface CachedGvc {
  readonly row: Row;
  readonly locations: readonly Row[];
  readonly gvc: GvcFacts;
}

/**
 * Cached texts of records. A store returns the same object for a row until any client changes the row, so a text is
 * valid while it was made from the same objects.
 */
export class ShownTexts {
  readonly #texts = new SizedMap<string, CachedText>(mostText);
  readonly #gvcs = new SizedMap<string, CachedGvc>(mostGvcText);

  /** Returns undefined if the text must be made. `gvc`: for a workload, the facts that it is shown with. */
  textOf(row: Row, gvc: GvcFacts | undefined, nowMs: number): string | undefined {
    const made = this.#texts.get(row.uid);
    // The text may differ if the clock was set back.
    if (made === undefined || made.gvc !== gvc || nowMs < made.fromMs) return undefined;
    return made.row.deref() === row ? made.text : undefined;
  }

  /** Caches a text. `fromMs`: the time from which the text is valid. */
  cacheText(row: Row, gvc: GvcFacts | undefined, fromMs: number, text: string): void {
    this.#texts.set(row.uid, { row: new WeakRef(row), gvc, fromMs, text }, text.length + perEntry);
  }

  /** The facts that workloads of a GVC are shown with: the same object until they change. `locations`: their input. */
  cachedGvcFacts(row: Row, locations: readonly Row[], make: () => GvcFacts): GvcFacts {
    const known = this.#gvcs.get(row.uid);
    if (known !== undefined && known.row === row && areSame(known.locations, locations)) return known.gvc;
    const gvc = make();
    this.#gvcs.set(row.uid, { row, locations, gvc }, row.recordText.length + perEntry);
    return gvc;
  }
}

function areSame(a: readonly Row[], b: readonly Row[]): boolean {
  return a === b || (a.length === b.length && a.every((row, index) => row === b[index]));
}

/** The facts of a GVC that its workloads and domains are shown with. */
export interface GvcFacts {
  readonly uid: string;
  readonly version: number;
  readonly alias: string;
  readonly locations: WorkloadFacts['locations'];
  readonly history: GvcHistory;
  readonly namingFormat: string | undefined;
  /** The name of the workload that the GVC's alias leads to. */
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

/** The facts of a GVC. `names`: its current locations. */
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

/** When the GVC last changed something for its workloads: `state.concerning` of `records/derived/platformState.ts`. */
function gvcHistoryOf(row: Row): GvcHistory {
  const stored = objectAt(row.state, 'concerning');
  const before = numberAt(stored, 'before');
  return {
    version: numberAt(stored, 'version') ?? 1,
    sinceMs: numberAt(stored, 'sinceMs') ?? row.createdMs,
    ...present({ before }),
  };
}
