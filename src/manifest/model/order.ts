import { compareText } from '../../base/text/compareText.ts';
import type { Ref } from '../../schema/record/ref.ts';

/** By kind, GVC and name: the order of every list of resources, whatever order they came in. */
function compareRefs(a: Ref, b: Ref): number {
  return compareText(a.kind, b.kind) || compareText(a.gvc ?? '', b.gvc ?? '') || compareText(a.name, b.name);
}

export function inCanonicalOrder<Item extends { readonly ref: Ref }>(items: readonly Item[]): readonly Item[] {
  return items.toSorted((a, b) => compareRefs(a.ref, b.ref));
}
