import { firstLines } from '../../base/text/firstOf.ts';
import { ToolError } from '../../base/toolError.ts';
import type { Whole } from '../../client/fetchWhole.ts';
import { flagOf } from '../../plan/model/permits.ts';
import { needs } from '../../plan/references/needs.ts';
import { isContainer, isGvcScoped } from '../../schema/record/kinds.ts';
import { wordsOf } from '../../schema/record/kindWords.ts';
import { formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import { isNeeded } from '../../schema/shape/referenceStrength.ts';
import { referringKinds } from '../../schema/shape/referringKinds.ts';
import type { Api } from '../call/api.ts';
import type { Call } from '../call/command.ts';

/** A record that stays, and needs one that goes. */
interface Need {
  readonly by: ResourceId;
  readonly on: ResourceId;
  readonly path: string;
  /** The platform would not delete it. */
  readonly blocks: boolean;
}

/** What stays and needs what goes, as a plan counts it (`plan/references`), and of which kinds that is not known. */
export interface StillNeeded {
  readonly needs: readonly Need[];
  readonly notKnown: readonly string[];
}

export const nothingNeeded: StillNeeded = { needs: [], notKnown: [] };

/** More than these are counted. */
const mostNamed = 20;

/** Reads what may need one of these: only the kinds that can, and of what is in a GVC only what is beside it. */
export async function stillNeeded(api: Api, gone: readonly Ref[]): Promise<StillNeeded> {
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
  if (wanted.size === 0) return nothingNeeded;
  const { records, gaps } = await api.records([...wanted.values()]);
  return {
    needs: records.flatMap(({ id, ref, record }) =>
      ids.has(id) || (ref.gvc !== undefined && ids.has(formatRef({ kind: 'gvc', name: ref.gvc })))
        ? []
        : needs(ref, record, api.org).flatMap(({ on, path, blocks }) =>
            ids.has(on) ? [{ by: id, on, path, blocks }] : [],
          ),
    ),
    notKnown: [...gaps].map(([kind, why]) => `not known: which ${wordsOf(kind).many} need it (${why})`),
  };
}

/** `workload/shop/web needs it at spec.…`: the first of what goes, or with its id something that goes along. */
export function needLines(found: StillNeeded, [first, ...along]: readonly [Ref, ...Ref[]]): readonly string[] {
  if (found.needs.length === 0) return [];
  const it = formatRef(first);
  const gone = new Set([it, ...along.map(formatRef)]);
  const lines = found.needs
    .filter(({ on }) => gone.has(on))
    .map(({ by, on, path }) => `${by} needs ${on === it ? 'it' : on} at ${path}`);
  return firstLines(lines, mostNamed, 'references to it');
}

/** How many records lose something; the permit for it counts these. */
function losing({ needs: found }: StillNeeded): number {
  return new Set(found.map(({ by }) => by)).size;
}

/** What stands beside `--yes`: ` --allow-dangling=2`. */
export function permitFor(found: StillNeeded): string {
  return found.needs.length === 0 ? '' : ` ${flagOf('allowDangling', losing(found))}`;
}

/**
 * Errors: `delete.referenced` where the platform would refuse it, and where nobody is asked and the exact number is not
 * permitted.
 */
export function refuseNeeded({ given }: Call, found: StillNeeded): void {
  const blocking = found.needs.filter(({ blocks }) => blocks);
  const isAllowed = given.isWritten('allowDangling')
    ? given.count('allowDangling') === losing(found)
    : !given.flag('yes');
  const refused = blocking.length > 0 ? blocking : isAllowed ? [] : found.needs;
  if (refused.length === 0) return;
  const lines = refused.map(({ by, on, path }) => `${by} needs ${on} at ${path}`);
  throw new ToolError({
    code: 'delete.referenced',
    message: `${firstLines(lines, mostNamed, 'references').join('; ')}; nothing was deleted`,
    hint:
      blocking.length > 0
        ? 'Take these references away first.'
        : `Take these references away first, or add${permitFor(found)}: that many records would lose something that they need to run.`,
  });
}
