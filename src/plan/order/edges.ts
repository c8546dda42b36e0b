import type { Pointer } from '../../base/json/pointer.ts';
import { blocksDeletion } from '../../kinds/shape/referenceStrength.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import { formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import { type Draft, deletes, writes } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { deletionStep, type Step, type StepEdge } from '../model/steps.ts';
import { bindsAddress } from '../references/bindsAddress.ts';
import { refersAfter } from '../references/referencesAfter.ts';
import type { Referrers } from '../references/referrers.ts';
import { renameEdges, yieldToMovers } from '../rename/renameEdges.ts';
import { derivedEdges } from './derivedEdges.ts';
import { prerequisitesOfDeletions } from './prerequisites.ts';

export type Drafts = ReadonlyMap<ResourceId, Draft>;

/** Every reason for which one step waits for another (order is a graph, not levels). */
export function findEdges(drafts: Drafts, referrers: Referrers, planning: PlanContext): readonly StepEdge[] {
  const edges: StepEdge[] = [];
  for (const draft of drafts.values()) {
    if (draft.action === 'keep' || draft.via !== undefined) continue;
    if (writes(draft) && draft.desired !== undefined) edges.push(...writeEdges(draft, draft.desired, drafts, planning));
    if (deletes(draft)) edges.push(...deletionEdges(draft, drafts, referrers, planning));
    for (const step of ownSteps(draft)) edges.push(step);
  }
  edges.push(...containerEdges(drafts, referrers, planning), ...derivedEdges(drafts, planning));
  const moving = renameEdges(drafts, planning);
  const all = [...yieldToMovers(edges, moving, drafts), ...moving];
  return [...all, ...prerequisitesOfDeletions(all, drafts, planning)];
}

/** A replacement deletes before it creates, and a second step comes after the first. */
function ownSteps(draft: Draft): readonly StepEdge[] {
  const edge = (fromStep: Step, onStep: Step, because: string): StepEdge => ({
    from: draft.id,
    fromStep,
    on: draft.id,
    onStep,
    because,
    soft: false,
    ready: false,
  });
  return [
    ...(draft.action === 'replace' ? [edge('main', 'delete', 'it is deleted before it is created again')] : []),
    ...(draft.then === undefined ? [] : [edge('then', 'main', 'it is the second step')]),
  ];
}

/** A referrer waits for what it will refer to. */
function writeEdges(
  draft: Draft,
  desired: DesiredResource,
  drafts: Drafts,
  planning: PlanContext,
): readonly StepEdge[] {
  const edges: StepEdge[] = [];
  const wait = (fromStep: Step, target: Draft | undefined, because: string, soft: boolean, pointer: Pointer): void => {
    if (target === undefined || !(writes(target) || (!soft && mustBeReady(target)))) return;
    const locate = () => desired.locate(pointer);
    edges.push({ from: draft.id, fromStep, on: target.id, onStep: 'main', because, soft, ready: target.wait, locate });
  };

  const parent = draft.gvc === undefined ? undefined : drafts.get(formatRef({ kind: 'gvc', name: draft.gvc }));
  if (parent?.secondStepOnly !== true) wait('main', parent, 'it lives in that GVC', false, ['gvc']);

  const later = new Set(draft.later.map((reference) => reference.path));
  for (const { target, path, pointer, strength } of planning.desiredReferences(desired)) {
    if (strength === 'none') continue;
    const on = drafts.get(formatRef(target));
    const isLater = later.has(path);
    // What a second step may refer to is a child: where it is live already, or named before it was there, the order
    // does not matter.
    const soft = strength === 'soft' || (strength === 'second-step' && !isLater);
    wait(isLater ? 'then' : 'main', on, `${path} refers to it`, soft, pointer);
  }
  for (const { id, path } of desired.reads ?? []) wait('main', drafts.get(id), `it reads ${path} of it`, false, []);
  desired.lifecycle.dependsOn?.forEach((id, index) => {
    wait('main', drafts.get(id), 'lifecycle.dependsOn names it', false, ['lifecycle', 'dependsOn', index]);
  });
  return edges;
}

/** Unchanged, and declared so that its dependents wait until it is ready. */
function mustBeReady({ action, wait, desired }: Draft): boolean {
  return action === 'keep' && wait && desired?.lifecycle.wait === true;
}

/** A deletion waits for everything that stops referring to its target, references of live records included. */
function deletionEdges(draft: Draft, drafts: Drafts, referrers: Referrers, planning: PlanContext): readonly StepEdge[] {
  const edges: StepEdge[] = [];
  for (const { live, reference } of referrers.get(draft.id) ?? []) {
    const referrer = carrier(live.ref, drafts);
    if (referrer === undefined || referrer.action === 'keep' || referrer.action === 'forget') continue;
    const lets = deletes(referrer) || !refersAfter(referrer, draft.id, planning);
    const around = referrer.later.some((later) => formatRef(later.target) === draft.id);
    if (!lets && !around) continue;
    edges.push({
      from: draft.id,
      fromStep: deletionStep(draft),
      on: referrer.id,
      onStep: deletes(referrer) ? deletionStep(referrer) : lettingStep(referrer, reference.path, draft.id),
      because: `${reference.path} of ${live.id} refers to it until then`,
      soft: !blocksDeletion(live.ref.kind, reference) && !bindsAddress(live, draft, planning),
      ready: false,
    });
  }
  return edges;
}

/** The change that has the request: for a child that is deleted with its GVC, and for a bystander, the GVC. */
function carrier(ref: Ref, drafts: Drafts): Draft | undefined {
  const draft = drafts.get(formatRef(ref));
  if (draft !== undefined) return draft.via === undefined ? draft : drafts.get(draft.via);
  const gvc = ref.gvc === undefined ? undefined : drafts.get(formatRef({ kind: 'gvc', name: ref.gvc }));
  return gvc?.action === 'delete' ? gvc : undefined;
}

/** A field that moves from one child to another drops the first reference only in the second step. */
function lettingStep(referrer: Draft, path: string, target: ResourceId): Step {
  const moves = referrer.later.some(
    (later) => later.path === path && later.strength === 'second-step' && formatRef(later.target) !== target,
  );
  return moves ? 'then' : 'main';
}

/** A GVC is deleted after its children that have a request of their own, and after everything that refers to it. */
function containerEdges(drafts: Drafts, referrers: Referrers, planning: PlanContext): readonly StepEdge[] {
  const edges: StepEdge[] = [];
  for (const child of drafts.values()) {
    if (child.gvc === undefined || child.action !== 'delete') continue;
    const container = drafts.get(formatRef({ kind: 'gvc', name: child.gvc }));
    if (container?.action !== 'delete' || !isContainer(container.kind)) continue;
    if (child.via === undefined) {
      const because = 'it stores data, or mounts a volume set: it is deleted before its GVC';
      edges.push({
        from: container.id,
        fromStep: 'main',
        on: child.id,
        onStep: 'main',
        because,
        soft: false,
        ready: false,
      });
    } else {
      const into = deletionEdges(child, drafts, referrers, planning);
      edges.push(...into.map((edge) => ({ ...edge, from: container.id, fromStep: 'main' as const })));
    }
  }
  return edges;
}
