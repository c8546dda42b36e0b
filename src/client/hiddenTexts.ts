import { isDeeperThan } from '../base/json/depth.ts';
import { type JsonObject, own } from '../base/json/json.ts';
import { jsonIn } from '../base/json/jsonText.ts';
import { textsIn } from '../base/json/textsIn.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { Kind } from '../schema/record/kinds.ts';

/** A shorter text is too frequent; masking it would reveal more than it hides. */
const shortest = 4;

/** A document that is nested deeper is not one of a secret, and too deep to search. */
const deepest = 100;

/**
 * The texts below the sensitive fields of a body, with any directive (`$replace/data`) and those inside a text that is
 * JSON, such as the key of a cloud, and those in `marked`, which the author marked; longest first. If the platform
 * repeats them in a refusal, they must not reach a message (design, law 8).
 */
export function hiddenTexts(kind: Kind, body: JsonObject, marked: readonly string[] = []): readonly string[] {
  const found = [...marked];
  for (const [name, shape] of shapeOf(kind, body).fields) {
    if (shape.facts.sensitive !== true) continue;
    const texts = [name, `$replace/${name}`].flatMap((key) => textsIn(own(body, key)));
    found.push(...texts);
  }
  return asHidden(found);
}

/** The texts to search for if these values are hidden. */
export function asHidden(values: readonly string[]): readonly string[] {
  const inner = values.flatMap((value) => [value, ...textsInside(value)]);
  // A value from a file often ends with a line break, which a message that repeats it leaves out.
  const texts = new Set(inner.flatMap((text) => [text, text.trim()]));
  return [...texts].filter(({ length }) => length >= shortest).sort((a, b) => b.length - a.length);
}

function textsInside(text: string): readonly string[] {
  const document = jsonIn(text);
  return document === undefined || isDeeperThan(document, deepest) ? [] : textsIn(document);
}
