import { firstOf } from '../../base/text/firstOf.ts';
import { builtIn } from '../../change/adopt.ts';
import type { LeftOut } from '../../gantry/readLive.ts';
import { type Ref, refNamed } from '../../schema/record/ref.ts';
import { printable } from '../../terminal/printable.ts';
import { UsageError } from '../../terminal/usageError.ts';

/** Limit of names listed per reason. */
const mostNamed = 3;

/**
 * A line for each omitted resource. With `all` the user named none of them: those with the same reason share a line,
 * and built-in ones are only counted.
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

/** `kind/[gvc/]name`; without a GVC in it, the GVC of `--gvc`. */
export function parseRefs(texts: readonly string[], gvc: string | undefined): readonly Ref[] {
  return texts.map((text) => {
    const ref = refNamed(text, gvc);
    if (ref !== undefined) return ref;
    throw new UsageError(
      `${JSON.stringify(text)} is not the id of a resource`,
      'Write kind/name, and for what lives in a GVC kind/gvc/name, or add --gvc.',
    );
  });
}
