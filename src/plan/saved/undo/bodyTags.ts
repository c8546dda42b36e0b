import type { Body } from '../../../manifest/body.ts';
import { type JsonObject, objectAt } from '../../../schema/json.ts';

/** A body with other tags. */
export function withTags(body: Body, change: (tags: JsonObject) => JsonObject): Body {
  return body.with((document) => ({ ...document, tags: change(objectAt(document, 'tags')) }));
}
