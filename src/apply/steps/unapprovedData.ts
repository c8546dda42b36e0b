import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { dataIn } from '../../plan/model/dataLoss.ts';
import type { ResourceId } from '../../schema/record/ref.ts';

/**
 * Data of these records that would be lost without approval, in words. A volume set gains data without a new version,
 * so a pin does not notice it. `approved`: records whose data was shown (`Change.losesData`).
 */
export function unapprovedData(records: readonly LiveResource[], approved?: readonly ResourceId[]): string | undefined {
  const found = records.flatMap(({ id, ref, record }) => {
    const data = approved?.includes(id) ? undefined : dataIn(ref.kind, record);
    return data === undefined ? [] : [`the data of ${id} would be lost, which was not shown: ${data}`];
  });
  return found.length === 0 ? undefined : found.sort().join('; ');
}
