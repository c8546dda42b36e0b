import { firstOf } from '../../../base/text/firstOf.ts';
import { builtIn } from '../../../change/adopt.ts';
import type { LeftOut } from '../../../gantry/adopting/readLive.ts';
import { printable } from '../../../terminal/printable.ts';

/** So many are named of those that are left out for one reason. */
const mostNamed = 3;

/**
 * A line for each that is left out. Nobody asked for each with `all`: those with one reason are one line, and what the
 * platform made itself is only counted.
 */
export function leftOutLines(left: readonly LeftOut[], all: boolean): readonly string[] {
  if (!all) return left.map(({ id, because }) => line([id], because));
  return [...Map.groupBy(left, ({ because }) => because)].map(([because, those]) =>
    because === builtIn
      ? `left out: ${those.length} that are built in`
      : line(
          those.map(({ id }) => id),
          because,
        ),
  );
}

function line(ids: readonly string[], because: string): string {
  return `left out: ${firstOf(ids.map(printable), mostNamed)}: ${printable(because)}`;
}
