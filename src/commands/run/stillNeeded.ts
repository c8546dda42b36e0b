import { firstLines } from '../../base/text/firstOf.ts';
import { ToolError } from '../../base/toolError.ts';
import { wordsOf } from '../../kinds/kindWords.ts';
import { flagOf } from '../../plan/model/permits.ts';
import type { StillNeeded } from '../../plan/references/stillNeeded.ts';
import { formatRef, type Ref } from '../../schema/record/ref.ts';
import type { Call } from '../call/command.ts';

export const nothingNeeded: StillNeeded = { needs: [], gaps: new Map() };

/** More than these are counted. */
const mostNamed = 20;

/** Of which kinds it is not known whether they need what goes. */
export function gapLines({ gaps }: StillNeeded): readonly string[] {
  return [...gaps].map(([kind, why]) => `not known: which ${wordsOf(kind).many} need it (${why})`);
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

/** The option beside `--yes`: ` --allow-dangling=2`. */
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
