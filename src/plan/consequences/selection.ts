import { compact } from '../../base/json/present.ts';
import { addTo } from '../../base/multimap.ts';
import { compareText } from '../../base/text/compareText.ts';
import { counted } from '../../base/text/counted.ts';
import { suggest } from '../../base/text/suggest.ts';
import { ToolError } from '../../base/toolError.ts';
import type { Reference } from '../../kinds/references.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import { formatRef, type ResourceId } from '../../schema/record/ref.ts';
import type { Refusal } from '../model/change.ts';
import { type Draft, deletes, deletionStep, makeDraft, type StepEdge } from '../model/draft.ts';
import type { LeftOut, Plan } from '../model/plan.ts';
import type { PlanContext } from '../model/planContext.ts';
import type { PlanOptions } from '../model/planOptions.ts';
import { refuse } from '../model/refusal.ts';
import { findEdges } from '../order/edges.ts';
import type { Referrers } from '../references/referrers.ts';
import type { Consequences } from './cascade.ts';

type Drafts = ReadonlyMap<ResourceId, Draft>;
type Selecting = Pick<PlanOptions, 'targets' | 'excludes'>;

/** Which changes of a whole plan are made (`--target`, `--exclude`). */
export interface Selection {
  readonly chosen: ReadonlySet<ResourceId>;
  /** By id, why a change is included that was not selected. */
  readonly inclusionReasons: ReadonlyMap<ResourceId, string>;
  /** Changes that need an excluded one. */
  readonly broken: ReadonlyMap<ResourceId, readonly Refusal[]>;
  /** Sorted by id. */
  readonly leftOut: readonly LeftOut[];
}

/**
 * Selects changes of a whole plan: the named ones, and all without which a reference would dangle or a request would be
 * refused. Undefined means all changes.
 */
export function selectChanges(drafts: Drafts, referrers: Referrers, planning: PlanContext): Selection | undefined {
  const { targets, excludes } = planning.options;
  if (targets.length === 0 && excludes.length === 0) return undefined;
  const ids = [...drafts.keys()];
  const named = targets.length === 0 ? new Set(ids) : matching(targets, ids);
  const excluded = matching(excludes, ids);

  const chosen = new Set([...named].filter((id) => !excluded.has(id)));
  const inclusionReasons = new Map<ResourceId, string>();
  const broken = new Map<ResourceId, readonly Refusal[]>();
  const needs = needsByChange(drafts, referrers, planning);
  const queue = [...chosen];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    const missed = new Map<ResourceId, Refusal>();
    for (const { on, because } of needs.get(id) ?? []) {
      if (chosen.has(on)) continue;
      if (excluded.has(on)) {
        if (!missed.has(on)) missed.set(on, refuse.selectionBreaks(on, id, because));
        continue;
      }
      chosen.add(on);
      inclusionReasons.set(on, `included because of ${id}: ${because}`);
      queue.push(on);
    }
    if (missed.size > 0) broken.set(id, [...missed.values()]);
  }
  const leftOut = [...drafts.values()]
    .filter(({ id, action }) => action !== 'keep' && !chosen.has(id))
    .map(({ id, action }) => ({ id, action }));
  return { chosen, inclusionReasons, broken, leftOut };
}

/** The drafts of a partial plan: resources that are not selected stay as they are live, and keep their references. */
export function partialDrafts(drafts: Drafts, { chosen }: Selection): Drafts {
  const remaining = new Map<ResourceId, Draft>();
  for (const [id, draft] of drafts) {
    const { ref, live, unowned, unchecked } = draft;
    if (chosen.has(id)) remaining.set(id, draft);
    else if (live !== undefined) {
      remaining.set(id, {
        ...makeDraft({ id, ref, live }, { action: 'keep', reason: '' }),
        ...(unowned && { unowned }),
        ...(unchecked && { unchecked }),
      });
    }
  }
  return remaining;
}

/** Excluded resources in a GVC whose deletion is refused because of them are not those of other owners. */
export function withoutExcluded(affected: Consequences, { broken, leftOut }: Selection): Consequences {
  const own = new Set(leftOut.map(({ id }) => id));
  const bystanders = [...affected.bystanders].map(
    ([gvc, inside]) => [gvc, broken.has(gvc) ? inside.filter(({ id }) => !own.has(id)) : inside] as const,
  );
  return { ...affected, bystanders: new Map(bystanders) };
}

/** Notes why a change is included, and what an excluded one breaks; dangling references are only a consequence. */
export function noteSelection(drafts: Drafts, { inclusionReasons, broken }: Selection): Drafts {
  return new Map(
    [...drafts].map(([id, draft]) => {
      const [note, breaks] = [inclusionReasons.get(id), broken.get(id)];
      const noted = note === undefined ? draft : { ...draft, notes: [...draft.notes, note] };
      if (breaks === undefined) return [id, noted];
      const others = noted.refusals.filter(({ code }) => !consequences.has(code));
      return [id, { ...noted, refusals: [...others, ...breaks] }];
    }),
  );
}

const consequences: ReadonlySet<string> = new Set(['reference.missing', 'delete.referenced', 'rename.referenced']);

/** Notes that a plan is partial. */
export function selectionNote({ leftOut }: Selection, { targets, excludes }: Selecting): string {
  const flags = compact([
    targets.length === 0 ? undefined : '--target',
    excludes.length === 0 ? undefined : '--exclude',
  ]);
  if (leftOut.length === 0) return `${flags.join(' and ')} leaves nothing out: there are no other changes`;
  const count = `${counted(leftOut.length, 'change')} ${leftOut.length === 1 ? 'is' : 'are'}`;
  return `this plan is partial: ${count} left out by ${flags.join(' and ')}`;
}

/** By change, the edges that it cannot be made without. */
function needsByChange(
  drafts: Drafts,
  referrers: Referrers,
  planning: PlanContext,
): ReadonlyMap<ResourceId, StepEdge[]> {
  // A child that is deleted with its GVC may be selected alone; then it has its own edges.
  const alone = new Map([...drafts].map(([id, { via: _via, ...draft }]) => [id, draft] as const));
  const needs = new Map<ResourceId, StepEdge[]>();
  for (const edge of findEdges(alone, referrers, planning)) {
    const [from, on] = [alone.get(edge.from), alone.get(edge.on)];
    if (from === undefined || on === undefined) continue;
    if (!isNeed(edge, from, on) && !providesTarget(on, from, planning)) continue;
    const isDeletedWithGvc = drafts.get(on.id)?.via === from.id;
    addTo(needs, from.id, isDeletedWithGvc ? { ...edge, because: 'it is deleted with its GVC' } : edge);
  }
  return needs;
}

/**
 * Whether the change requires the other (`needed`): references that block a deletion, targets that do not exist yet,
 * room and permissions. The mere order of two existing records does not count.
 */
function isNeed(edge: StepEdge, from: Draft, on: Draft): boolean {
  if (deletes(from) && edge.fromStep === deletionStep(from) && edge.forCreation !== true) return true;
  return on.action === 'create' || on.action === 'delete' || edge.needed === true;
}

/**
 * Whether the container begins to refer to a target of its child. The platform accepts local options only for a
 * location of the GVC, and a trigger only with a secret that the GVC lists (rules W37, W38).
 */
function providesTarget(container: Draft, child: Draft, planning: PlanContext): boolean {
  if (!isContainer(container.kind) || child.gvc !== container.name) return false;
  const declaredBy = ({ desired }: Draft) => targetsOf(desired && planning.desiredReferences(desired));
  const before = targetsOf(container.live && planning.liveReferences(container.live));
  return !declaredBy(container).difference(before).isDisjointFrom(declaredBy(child));
}

function targetsOf(references: readonly Reference[] = []): ReadonlySet<ResourceId> {
  return new Set(references.map(({ target }) => formatRef(target)));
}

function matching(patterns: readonly string[], ids: readonly ResourceId[]): ReadonlySet<ResourceId> {
  const expressions = patterns.map(expressionOf);
  return new Set(ids.filter((id) => expressions.some((expression) => expression.test(id))));
}

/**
 * Whether `--target` or `--exclude` may leave out this record of another stack of the run. Only planning that stack
 * makes it certain.
 */
export function mayBeLeftOut(id: ResourceId, { targets, excludes }: Selecting): boolean {
  return matching(excludes, [id]).size > 0 || (targets.length > 0 && matching(targets, [id]).size === 0);
}

/** `*` matches any characters within one segment. */
function expressionOf(pattern: string): RegExp {
  const literals = pattern.split('*').map((text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literals.join('[^/]*')}$`);
}

/**
 * Errors: ToolError `selection.unknown` for an id or pattern that matches nothing in the plan or in the declarations of
 * the run's other stacks. Skipped when planning again after a run: the named ones may be deleted.
 */
export function checkSelection(
  { changes, leftOut = [] }: Plan,
  { targets, excludes, others = [] }: Selecting & Pick<PlanOptions, 'others'>,
): void {
  const running = others.filter(({ inRun }) => inRun);
  const resources = [...changes, ...leftOut, ...running.flatMap(({ desired }) => desired)];
  const ids = resources.map(({ id }) => id).sort(compareText);
  const named = [
    ...targets.map((pattern) => ['--target', pattern] as const),
    ...excludes.map((pattern) => ['--exclude', pattern] as const),
  ];
  for (const [flag, pattern] of named) {
    if (matching([pattern], ids).size > 0) continue;
    const meant = pattern.length > 200 ? undefined : suggest(pattern, ids);
    throw new ToolError({
      code: 'selection.unknown',
      message: `${flag}=${pattern} names no resource of ${running.length === 0 ? 'this stack' : 'these stacks'}`,
      hint:
        meant === undefined
          ? 'Write kind/name, or kind/gvc/name for a resource in a GVC; * matches within one segment.'
          : `Did you mean ${meant}?`,
    });
  }
}
