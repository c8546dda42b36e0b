import { type Ref, refNamed } from '../../../schema/record/ref.ts';
import { UsageError } from '../../../terminal/line/usageError.ts';

/** `kind/[gvc/]name`; without a GVC in it, the one of `--gvc`. */
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
