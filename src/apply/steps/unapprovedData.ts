import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { dataIn } from '../../plan/model/dataLoss.ts';
import type { ResourceId } from '../../schema/record/ref.ts';

/**
 * What these records hold of data that nobody approved to lose, in words. A volume set takes up data without a new
 * version, so that no pin tells of it. `approved`: those whose data was shown (`Change.losesData`).
 */
export function unapprovedData(
  records: readonly LiveResource[],
  approved: readonly ResourceId[] = [],
): string | undefined {
  const found = records.flatMap(({ id, ref, record }) => {
    const data = approved.includes(id) ? undefined : dataIn(ref.kind, record);
    return data === undefined ? [] : [`the data of ${id} would be lost, which was not shown: ${data}`];
  });
  return found.length === 0 ? undefined : found.sort().join('; ');
}
