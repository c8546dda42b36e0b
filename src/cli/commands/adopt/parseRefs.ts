import { isGvcScoped, kindNamed } from '../../../schema/record/kinds.ts';
import type { Ref } from '../../../schema/record/ref.ts';
import { UsageError } from '../../../terminal/line/usageError.ts';

/** `kind/[gvc/]name`; without a GVC in it, the one of `--gvc`. */
export function parseRefs(texts: readonly string[], gvc: string | undefined): readonly Ref[] {
  return texts.map((text) => {
    const [kindName = '', first = '', second, ...rest] = text.split('/');
    const kind = kindNamed(kindName);
    const inGvc = kind !== undefined && isGvcScoped(kind);
    const name = second ?? first;
    const of = second === undefined ? gvc : first;
    const complete = kind !== undefined && name !== '' && rest.length === 0 && first !== '';
    if (!complete || (inGvc ? of === undefined : second !== undefined)) {
      throw new UsageError(
        `${JSON.stringify(text)} is not the id of a resource`,
        'Write kind/name, and for what lives in a GVC kind/gvc/name, or add --gvc.',
      );
    }
    return inGvc && of !== undefined ? { kind, name, gvc: of } : { kind, name };
  });
}
