import { hitBy } from '../../plan/consequences/victims.ts';
import type { Change } from '../../plan/model/change.ts';
import { nameOfLoss } from '../../plan/record/gvcLosses.ts';
import { StaleError } from '../run/applyErrors.ts';
import type { Run } from '../run/run.ts';
import { childrenOf, ownerOf } from './remove.ts';

/**
 * An update that takes something from a GVC hits those of its content that were approved and nobody else: they are
 * listed again directly before it. Throws StaleError when somebody came to live there since.
 */
export async function checkVictims(run: Run, { id, name, takes, victims = [] }: Change): Promise<void> {
  if (takes === undefined) return;
  const children = (await childrenOf(run, name)) ?? []; // of a GVC that is gone the PATCH will find out
  const { changes, leftOut = [], org, stack } = run.plan;
  // What is left out of a partial plan is this stack's own, or among the victims; an undo names only what it takes
  // back.
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
