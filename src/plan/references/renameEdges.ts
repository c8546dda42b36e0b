import { storesData } from '../../kinds/kindFacts.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import { type Draft, deletes, type StepEdge, writes } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { awaitsReadiness, type Renaming, renamingsOf } from './rename.ts';

type Drafts = ReadonlyMap<ResourceId, Draft>;

/**
 * The order of a renaming: the new resource is created and becomes ready; references to the old name move; then the old
 * resource is deleted. If both mount a volume set that only one can mount, the old one is deleted first.
 */
export function renameEdges(drafts: Drafts, planning: PlanContext): readonly StepEdge[] {
  const { byNew } = renamingsOf(planning);
  if (byNew.size === 0) return [];
  const moving = [
    ...[...byNew.values()].flatMap((renaming) => ownEdges(renaming, drafts)),
    ...[...drafts.values()].flatMap((draft) => moverEdges(draft, byNew, drafts, planning)),
  ];
  return [...moving, ...oldContentEdges(byNew.values(), moving, drafts, planning)];
}

function ownEdges(renaming: Renaming, drafts: Drafts): readonly StepEdge[] {
  const old = carrierOf(renaming, drafts);
  const next = drafts.get(renaming.next.id);
  if (old === undefined || next === undefined) return [];
  if (renaming.contested !== undefined) {
    const because = `both mount ${renaming.contested}, which only one can mount at a time`;
    return [
      { ...edge({ from: next.id, fromStep: 'main', on: old.id, onStep: 'main', because }), locate: placeOf(renaming) },
    ];
  }
  const ready = awaitsReadiness(renaming);
  const because = `${renaming.old.id} is deleted once ${next.id} ${ready ? 'is ready' : 'exists'}`;
  const onStep = next.then === undefined ? 'main' : 'then';
  return [
    { ...edge({ from: old.id, fromStep: 'main', on: next.id, onStep, because }), ready, locate: placeOf(renaming) },
  ];
}

/** Fields that referred to the old name and now refer to the new one. */
function moverEdges(
  mover: Draft,
  byNew: ReadonlyMap<ResourceId, Renaming>,
  drafts: Drafts,
  planning: PlanContext,
): readonly StepEdge[] {
  const { live, desired } = mover;
  if (live === undefined || desired === undefined || !writes(mover)) return [];
  const before = new Set(planning.liveReferences(live).map(({ target }) => formatRef(target)));
  const later = new Set(mover.later.map(({ path }) => path));
  return planning.desiredReferences(desired).flatMap((reference) => {
    const renaming = byNew.get(formatRef(reference.target));
    if (renaming === undefined || !before.has(renaming.old.id)) return [];
    const ready = awaitsReadiness(renaming);
    const step = later.has(reference.path) ? 'then' : 'main';
    const { path, pointer } = reference;
    const locate = () => desired.locate(pointer);
    const because = `${path} moves to it`;
    const toNew = edge({ from: mover.id, fromStep: step, on: renaming.next.id, onStep: 'main', because });
    const moves = { ...toNew, ready, locate };
    const old = carrierOf(renaming, drafts);
    if (old === undefined || renaming.contested !== undefined) return [moves];
    const until = `${path} of ${mover.id} refers to it until then`;
    return [moves, edge({ from: old.id, fromStep: 'main', on: mover.id, onStep: step, because: until })];
  });
}

/**
 * A record does not wait for one that moves to its new name: if that exists already, writing it first is only a
 * preference (a frontend names its backend in `dependsOn`, and the firewall of the backend names the frontend).
 */
export function yieldToMovers(
  edges: readonly StepEdge[],
  moving: readonly StepEdge[],
  drafts: Drafts,
): readonly StepEdge[] {
  const isMover = (id: ResourceId): boolean => {
    const draft = drafts.get(id);
    return draft?.live !== undefined && writes(draft) && !deletes(draft);
  };
  const movers = moving.filter(({ from }) => isMover(from));
  const moves = new Set(movers.map(({ on, from, fromStep }) => `${on} ${from} ${fromStep}`));
  if (moves.size === 0) return edges;
  return edges.map((edge) => (moves.has(`${edge.from} ${edge.on} ${edge.onStep}`) ? { ...edge, soft: true } : edge));
}

/** The step that deletes the old one: its own request, or the deletion of its GVC. */
function carrierOf({ old }: Renaming, drafts: Drafts): Draft | undefined {
  const draft = drafts.get(old.id);
  return draft?.via === undefined ? draft : drafts.get(draft.via);
}

function edge(of: Pick<StepEdge, 'from' | 'fromStep' | 'on' | 'onStep' | 'because'>): StepEdge {
  return { ...of, soft: false, ready: false };
}

function placeOf({ next }: Renaming): StepEdge['locate'] {
  return () => next.locate(['lifecycle', 'previously']);
}

/**
 * In a renamed GVC, nothing of the old one is deleted before all of the new one is ready and all references to the old
 * one have moved. Only volume sets, and the workloads that mount them, have their own DELETE. The first of these waits
 * for everything, and the others wait for the first: edges from each to everything would be as many as their product.
 */
function oldContentEdges(
  renamings: Iterable<Renaming>,
  moving: readonly StepEdge[],
  drafts: Drafts,
  planning: PlanContext,
): readonly StepEdge[] {
  return [...renamings].flatMap(({ old, next }) => {
    const content = isContainer(old.ref.kind) ? ownDeletions(old.ref.name, drafts) : [];
    const first = firstDeletion(content, planning);
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

/** A record that need not wait for the deletion of another one. */
function firstDeletion(content: readonly Draft[], planning: PlanContext): Draft | undefined {
  const referred = new Set(
    content.flatMap(({ live }) => (live ? planning.liveReferences(live).map(({ target }) => formatRef(target)) : [])),
  );
  return content.find(({ id }) => !referred.has(id)) ?? content.find(({ kind }) => !storesData(kind));
}
