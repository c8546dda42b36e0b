import type { ChangeDocument } from '../change/documents/planDocument.ts';
import type { PagePlan } from './pageData.ts';
import { pictureOf } from './picture.ts';
import type { ReportedPlan } from './report.ts';
import { briefOf, changeItem } from './tree/change.ts';
import { rehearsalGroup } from './tree/rehearsal.ts';
import { resultTree } from './tree/result.ts';
import { grown, grownNodes, refusalNode } from './tree/tree.ts';

/** A plan as a page shows it. */
export function pagePlan({ document: given, outcome, proofs }: ReportedPlan): PagePlan {
  const { changes, refusals, rehearsal, ...document } = given;
  const picture = changes.every(({ action }) => action === 'keep') ? undefined : pictureOf(changes);
  const waiters = waitersIn(changes);
  return {
    ...{ document, outcome, picture: picture ?? null },
    ...(document.result && { result: grownNodes(resultTree(document.result, changes).told) }),
    ...(rehearsal && {
      rehearsal: { isConsistent: rehearsal.consistent, told: grown(rehearsalGroup(rehearsal)) },
    }),
    refusals: [
      ...refusals.map((refusal) => ({ problem: refusalNode(refusal) })),
      ...changes.flatMap(({ id, refusals }) => refusals.map((refusal) => ({ id, problem: refusalNode(refusal) }))),
    ],
    changes: changes.map((change) => {
      const { id, action, intended, kind, gvc, risk, reason, notes } = change;
      const facts = { proof: proofs.get(id), result: document.result, waiters: waiters.get(id) };
      return {
        ...{ id, action, kind, reason, brief: briefOf(change), hasNotes: notes.length > 0 },
        ...(intended && { intended }),
        ...(gvc && { gvc }),
        ...(risk && { risk }),
        children: grownNodes(changeItem(change, facts).children()),
      };
    }),
  };
}

/** The changes that wait for each change. */
function waitersIn(changes: readonly ChangeDocument[]): ReadonlyMap<string, readonly string[]> {
  const edges = changes.flatMap(({ id, waitsFor = [] }) =>
    [...new Set(waitsFor.map(({ on }) => on))].map((on) => [on, id] as const),
  );
  return new Map([...Map.groupBy(edges, ([on]) => on)].map(([on, of]) => [on, of.map(([, id]) => id)]));
}
