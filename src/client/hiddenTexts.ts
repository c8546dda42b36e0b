import { type JsonObject, own } from '../base/json/json.ts';
import { textsIn } from '../base/json/textsIn.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { Kind } from '../schema/record/kinds.ts';

/** A shorter text is too frequent; masking it would reveal more than it hides. */
const shortest = 4;

/**
 * The texts below the sensitive fields of a body, with any directive (`$replace/data`), and those in `marked`, which
 * the author marked; longest first. If the platform repeats them in a refusal, they must not reach a message (design,
 * law 8).
 */
export function hiddenTexts(kind: Kind, body: JsonObject, marked: readonly string[] = []): readonly string[] {
  const found = new Set(marked);
  for (const [name, shape] of shapeOf(kind, body).fields) {
    if (shape.facts.sensitive !== true) continue;
    for (const key of [name, `$replace/${name}`]) for (const text of textsIn(own(body, key))) found.add(text);
  }
  return [...found].filter(({ length }) => length >= shortest).sort((a, b) => b.length - a.length);
}
