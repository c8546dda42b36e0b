import { firstLines } from '../../base/text/firstOf.ts';
import { ToolError } from '../../base/toolError.ts';
import type { SavedPlan } from '../../change/savedPlan.ts';
import { confirmAbsence } from '../../client/absence.ts';
import type { Snapshot } from '../../manifest/live/snapshot.ts';
import type { Platform } from '../../project/platform/platform.ts';

/** More are only counted. */
const mostNamed = 10;

/**
 * Returns the snapshot if records of the saved plan that it lacks are known to be absent. The token may have fewer
 * permissions than the one at planning: a hidden record is not deleted, and its name is not free.
 *
 * Errors: `read.hidden`.
 */
export async function withoutHidden(
  snapshot: Snapshot,
  { plan, facts }: SavedPlan,
  { client }: Platform,
): Promise<Snapshot> {
  const changed = plan.changes.filter(({ action }) => action !== 'keep');
  const confirmed = await confirmAbsence(
    client,
    snapshot,
    [...changed, ...facts].map(({ ref }) => ref),
  );
  const hidden = [...(confirmed.hidden ?? [])];
  if (hidden.length > 0) throw hiddenRecords(hidden);
  return confirmed;
}

function hiddenRecords(hidden: readonly (readonly [string, string])[]): ToolError {
  const lines = hidden.map(([id, permission]) => `${id}: it lacks the permission ${permission}`).sort();
  return new ToolError({
    code: 'read.hidden',
    message: [
      'this token cannot view resources of the plan; nothing was written:',
      ...firstLines(lines, mostNamed),
    ].join('\n  '),
    hint: 'Use a token that may view them, such as the one that the plan was made with.',
  });
}
