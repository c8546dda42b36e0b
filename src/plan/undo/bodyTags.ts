import type { Body } from '../../manifest/model/body.ts';
import { type JsonObject, objectAt } from '../../schema/json/json.ts';

/** A body with other tags. */
export function withTags(body: Body, change: (tags: JsonObject) => JsonObject): Body {
  return body.with((document) => ({ ...document, tags: change(objectAt(document, 'tags')) }));
}
