import { Body } from '../../../manifest/body.ts';
import { type JsonObject, objectAt } from '../../../schema/json.ts';

/** A body with other tags. */
export function withTags(body: Body, change: (tags: JsonObject) => JsonObject): Body {
  const changed = (document: JsonObject): JsonObject => ({ ...document, tags: change(objectAt(document, 'tags')) });
  return new Body(changed(body.expose()), changed(body.masked));
}
