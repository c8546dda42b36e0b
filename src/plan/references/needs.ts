import { addTo } from '../../base/multimap.ts';
import { blocksDeletion, isNeeded, referringKinds } from '../../kinds/referenceStrength.ts';
import { type Reference, references } from '../../kinds/references.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { isContainer, isGvcScoped, type Kind } from '../../schema/record/kinds.ts';
import { contextOf, formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import type { PlanContext } from '../model/planContext.ts';
import type { DeclaredUse } from '../model/planOptions.ts';

/** The targets that a record must release before they are deleted. A GVC is needed by its content. */
export function needs(ref: Ref, record: LiveResource['record'], org: string): readonly Need[] {
  const found = references(ref.kind, record, contextOf(ref, org)).filter(
    (reference) => reference.org === org && isNeeded(ref.kind, reference),
  );
  const gvc =
    ref.gvc === undefined
      ? []
      : [{ on: formatRef({ kind: 'gvc', name: ref.gvc }), path: 'gvc', pointer: ['gvc'], blocks: true }];
  return [
    ...gvc,
    ...found.map((reference) => ({
      on: formatRef(reference.target),
      path: reference.path,
      pointer: reference.pointer,
      blocks: blocksDeletion(ref.kind, reference),
    })),
  ];
}

export interface Need {
  readonly on: ResourceId;
  readonly path: string;
  readonly pointer: Reference['pointer'];
  readonly blocks: boolean;
}

/**
 * By id, where other stacks declare that they need a resource deleted here. A destroy does not change the manifests, so
 * only live records count: the other stacks may be destroyed already.
 */
export function declaredUses(
  gone: ReadonlySet<ResourceId>,
  { options, org, snapshot }: PlanContext,
): ReadonlyMap<ResourceId, readonly DeclaredUse[]> {
  const uses = new Map<ResourceId, DeclaredUse[]>();
  if (gone.size === 0) return uses;
  for (const { owner, desired } of options.others ?? []) {
    for (const { ref, record, locate, lifecycle } of desired) {
      if (lifecycle.handOver !== undefined) continue; // another stack manages it now
      if (options.destroys === true && !snapshot.resources.has(formatRef(ref))) continue;
      for (const { on, path, pointer, blocks } of needs(ref, record, org)) {
        if (gone.has(on)) addTo(uses, on, { owner, by: formatRef(ref), path, at: locate(pointer), blocks });
      }
      lifecycle.dependsOn?.forEach((on, index) => {
        if (!gone.has(on)) return;
        const at = locate(['lifecycle', 'dependsOn', index]);
        addTo(uses, on, { owner, by: formatRef(ref), path: `lifecycle.dependsOn.${index}`, at, blocks: true });
      });
    }
  }
  return uses;
}

/**
 * The records of other stacks that must release something before `ids` are deleted: those that need one of `ids`, and,
 * in turn, those that need one of these. `read`: all live records of the other stacks.
 */
export function holders(
  ids: readonly ResourceId[],
  read: readonly LiveResource[],
  org: string,
): readonly LiveResource[] {
  const users = new Map<ResourceId, LiveResource[]>();
  for (const live of read) for (const { on } of needs(live.ref, live.record, org)) addTo(users, on, live);
  const found = new Set<LiveResource>();
  const wanted = [...ids];
  for (const id of wanted) {
    for (const live of users.get(id) ?? []) {
      if (found.has(live)) continue;
      found.add(live);
      wanted.push(live.id);
    }
  }
  return read.filter((live) => found.has(live));
}

/** A remaining record that needs a deleted one. */
export interface NeedOfOther {
  readonly by: ResourceId;
  readonly on: ResourceId;
  readonly path: string;
  /** Whether the platform refuses the deletion. */
  readonly blocks: boolean;
}

/**
 * Remaining records that need a deleted one, as a plan counts them, and the kinds for which this is unknown, with the
 * reason.
 */
export interface StillNeeded {
  readonly needs: readonly NeedOfOther[];
  readonly gaps: ReadonlyMap<Kind, string>;
}

/** All records of a kind, in the org or in one GVC. */
interface Whole {
  readonly kind: Kind;
  readonly gvc: string | undefined;
}

/** Returns the records, and the kinds that could not be read. */
export type ReadWhole = (
  wanted: readonly Whole[],
) => Promise<{ readonly records: readonly LiveResource[]; readonly gaps: ReadonlyMap<Kind, string> }>;

/**
 * Reads the records that may need one of these: only kinds that can, and for a resource in a GVC, GVC-scoped kinds only
 * in that GVC.
 */
export async function stillNeeded(org: string, gone: readonly Ref[], read: ReadWhole): Promise<StillNeeded> {
  const ids = new Set(gone.map(formatRef));
  const wanted = new Map<string, Whole>();
  for (const [target, refs] of Map.groupBy(gone, ({ kind }) => kind)) {
    for (const kind of referringKinds(target, isNeeded)) {
      const isInside = isContainer(kind) || isGvcScoped(kind);
      for (const { gvc } of refs) {
        if (isInside && gvc !== undefined && ids.has(formatRef({ kind: 'gvc', name: gvc }))) continue; // deleted too
        const within = isInside ? gvc : undefined;
        wanted.set(`${kind} ${within ?? ''}`, { kind, gvc: within });
      }
    }
  }
  if (wanted.size === 0) return { needs: [], gaps: new Map() };
  const { records, gaps } = await read([...wanted.values()]);
  return {
    needs: records.flatMap(({ id, ref, record }) =>
      ids.has(id) || (ref.gvc !== undefined && ids.has(formatRef({ kind: 'gvc', name: ref.gvc })))
        ? []
        : needs(ref, record, org).flatMap(({ on, path, blocks }) =>
            ids.has(on) ? [{ by: id, on, path, blocks }] : [],
          ),
    ),
    gaps,
  };
}
