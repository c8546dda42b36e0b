import { ownerOf } from '../../manifest/model/ownTags.ts';
import { hitBy } from '../../plan/consequences/victims.ts';
import type { Change } from '../../plan/model/change.ts';
import { nameOfLoss } from '../../plan/record/gvcLosses.ts';
import { StaleError } from '../run/applyErrors.ts';
import type { Run } from '../run/run.ts';
import { childrenOf } from './remove.ts';

/**
 * An update that removes something from a GVC may affect only the approved records: its content is listed again
 * directly before the PATCH. Throws StaleError if another record is affected.
 */
export async function checkVictims(run: Run, { id, name, takes, victims = [] }: Change): Promise<void> {
  if (takes === undefined) return;
  const children = (await childrenOf(run, name)) ?? []; // of a GVC that is gone the PATCH will find out
  const { changes, leftOut = [], org, stack } = run.plan;
  // Resources that a partial plan leaves out belong to this stack, or are among the victims; an undo lists only its
  // own.
  const expected = new Set([...victims, ...[...changes, ...leftOut].map((each) => each.id)]);
  const surprises = hitBy(takes, children, org).filter(
    ({ id: child, record }) => !expected.has(child) && ownerOf(record) !== stack,
  );
  if (surprises.length === 0) return;
  const hit = surprises.map((child) => child.id).sort();
  throw new StaleError(
    id,
    `it takes away ${takes.map(nameOfLoss).join(', ')} from ${hit.join(', ')}, which was not approved`,
  );
}
