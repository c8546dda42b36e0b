import { ownerOf } from '../../apply/steps/remove.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { OtherRecords } from '../../terraform/plan/plannedSet.ts';
import type { Records } from '../platform/records.ts';
import type { Handled } from './handled.ts';

/** The live records that were listed anyway and are not of this configuration, as far as that is known. */
export function otherRecords(records: Records, owner: string, handled: () => Handled): OtherRecords {
  const isOther = (live: LiveResource): boolean => ownerOf(live.record) !== owner && !handled().isInState(live.uid);
  return {
    get({ kind, gvc, name }) {
      const live = records.listedSoFar(kind, gvc).get(name);
      return live !== undefined && isOther(live) ? live.record : undefined;
    },
    list: (kind, gvc) => [...records.listedSoFar(kind, gvc).values()].filter(isOther),
  };
}
