import { isNeeded, referringKinds } from '../../kinds/shape/referenceStrength.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { isContainer, isGvcScoped, type Kind } from '../../schema/record/kinds.ts';
import { formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import { needs } from './needs.ts';

/** A record that stays, and needs one that goes. */
export interface NeedOfOther {
  readonly by: ResourceId;
  readonly on: ResourceId;
  readonly path: string;
  /** The platform would not delete it. */
  readonly blocks: boolean;
}

/** Records that stay and need one that goes, as a plan counts them, and the kinds of which that is not known, with the reason. */
export interface StillNeeded {
  readonly needs: readonly NeedOfOther[];
  readonly gaps: ReadonlyMap<Kind, string>;
}

/** All records of a kind: of the org, or of one GVC. */
interface Whole {
  readonly kind: Kind;
  readonly gvc: string | undefined;
}

/** How they are read, and which could not be. */
export type ReadWhole = (
  wanted: readonly Whole[],
) => Promise<{ readonly records: readonly LiveResource[]; readonly gaps: ReadonlyMap<Kind, string> }>;

/** Reads what may need one of these: only the kinds that can, and of what is in a GVC only what is beside it. */
export async function stillNeeded(org: string, gone: readonly Ref[], read: ReadWhole): Promise<StillNeeded> {
  const ids = new Set(gone.map(formatRef));
  const wanted = new Map<string, Whole>();
  for (const [target, refs] of Map.groupBy(gone, ({ kind }) => kind)) {
    for (const kind of referringKinds(target, isNeeded)) {
      const isInside = isContainer(kind) || isGvcScoped(kind);
      for (const { gvc } of refs) {
        if (isInside && gvc !== undefined && ids.has(formatRef({ kind: 'gvc', name: gvc }))) continue; // it goes, too
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
