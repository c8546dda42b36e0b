import { reachableAddresses } from '../kinds/addresses.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import type { ChangeTime } from './outcomes.ts';
import type { Written } from './reply/written.ts';
import type { ChangeRun } from './report/events.ts';
import type { UnchangedRecords } from './run/unchangedRecords.ts';

export interface Knowledge {
  readonly written: ReadonlyMap<ResourceId, Written>;
  readonly kept: UnchangedRecords;
  /** What the verification read: newer than the answers to writes. */
  readonly verified: readonly LiveResource[];
}

/** What is known of each change after a run: when it was worked on, its version, where it answers. */
export function changeRuns(times: readonly ChangeTime[], { written, kept, verified }: Knowledge): readonly ChangeRun[] {
  const latest = new Map(verified.map((live) => [live.id, live]));
  return times.map((time) => {
    const own = written.get(time.id);
    const live = own?.as === 'stored' ? own.live : kept.seen(time.id);
    if (live === undefined) return time;
    const now = latest.get(time.id);
    const { ref, record } = now?.uid === live.uid ? now : live;
    const endpoints = reachableAddresses(ref.kind, record);
    return { ...time, version: live.version, ...(endpoints.length === 0 ? {} : { endpoints }) };
  });
}
