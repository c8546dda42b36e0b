import { firstLines } from '../../base/text/firstOf.ts';
import { ToolError } from '../../base/toolError.ts';
import type { SavedPlan } from '../../change/savedPlan.ts';
import { confirmAbsence } from '../../client/absence.ts';
import type { Snapshot } from '../../manifest/live/snapshot.ts';
import type { Platform } from '../../project/platform/platform.ts';

/** Of more than these only the number is told. */
const mostNamed = 10;

/**
 * The same snapshot, when what it lacks of a saved plan is known to be absent. The token may be weaker than the one
 * that the plan was made with: what is only hidden from it was neither deleted, nor is its name free.
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
