import { storesData } from '../../kinds/kindFacts.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import { type Draft, deletes } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import type { StepEdge } from '../model/steps.ts';
import type { Renaming } from './rename.ts';

type Drafts = ReadonlyMap<ResourceId, Draft>;

/**
 * A renamed GVC: nothing in the old one is deleted before all of the new one is ready and everything that referred to
 * the old one has moved. Only volume sets, and what mounts them, have a DELETE of their own. The first of these waits
 * for all of it, and all of them for the first: a wait of each for everything would be as many edges as their product.
 */
export function oldContentEdges(
  renamings: Iterable<Renaming>,
  moving: readonly StepEdge[],
  drafts: Drafts,
  planning: PlanContext,
): readonly StepEdge[] {
  return [...renamings].flatMap(({ old, next }) => {
    const content = isContainer(old.ref.kind) ? ownDeletions(old.ref.name, drafts) : [];
    const first = firstToGo(content, planning);
    if (first === undefined) return [];

    const of = (id: ResourceId): boolean => id === old.id || drafts.get(id)?.gvc === old.ref.name;
    const because = `nothing in ${old.id} is deleted before ${next.id} has replaced it`;
    const awaited = moving
      .filter(({ from, on }) => from !== first.id && of(from) && !of(on))
      .map((edge) => ({ ...edge, from: first.id, fromStep: 'main' as const, because }));
    return [...awaited, ...content.map(({ id }) => ({ ...firstEdge, from: id, on: first.id, because }))];
  });
}

const firstEdge = { fromStep: 'main', onStep: 'main', soft: false, ready: false } as const;

function ownDeletions(gvc: string, drafts: Drafts): readonly Draft[] {
  return [...drafts.values()].filter((draft) => draft.gvc === gvc && draft.via === undefined && deletes(draft));
}

/** Records that none of the others has to be deleted before. */
function firstToGo(content: readonly Draft[], planning: PlanContext): Draft | undefined {
  const referred = new Set(
    content.flatMap(({ live }) => (live ? planning.liveReferences(live).map(({ target }) => formatRef(target)) : [])),
  );
  return content.find(({ id }) => !referred.has(id)) ?? content.find(({ kind }) => !storesData(kind));
}
