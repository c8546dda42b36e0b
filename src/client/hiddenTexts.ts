import { isArray, isObject, type JsonObject, type JsonValue, own } from '../schema/json.ts';
import type { Kind } from '../schema/kinds.ts';
import { shapeOf } from '../schema/shapes.ts';

/** A shorter one stands in every text; masking it would tell more than it hides. */
const shortest = 4;

/**
 * The texts below the sensitive fields of a body, whichever directive writes them (`$replace/data`), longest first.
 * What the platform repeats of them in a refusal must not become a message (design, law 8).
 */
export function hiddenTexts(kind: Kind, body: JsonObject): readonly string[] {
  const found = new Set<string>();
  for (const [name, shape] of shapeOf(kind, body).fields) {
    if (shape.facts.sensitive !== true) continue;
    for (const key of [name, `$replace/${name}`]) collect(own(body, key), found);
  }
  return [...found].sort((a, b) => b.length - a.length);
}

function collect(value: JsonValue | undefined, found: Set<string>): void {
  if (typeof value === 'string') {
    if (value.length >= shortest) found.add(value);
  } else if (isArray(value)) {
    for (const item of value) collect(item, found);
  } else if (isObject(value)) {
    for (const member of Object.values(value)) collect(member, found);
  }
}
