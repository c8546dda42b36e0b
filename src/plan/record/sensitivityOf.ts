import type { JsonObject } from '../../base/json/json.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import { Body } from '../../manifest/model/body.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { byMarks, bySchema, markedTexts, type Sensitivity } from '../../patch/model/sensitivity.ts';
import { maskSensitive } from '../../patch/show/mask.ts';
import type { Ref } from '../../schema/record/ref.ts';

const known = new WeakMap<DesiredResource, Sensitivity>();

/** What may not be seen of a declared resource, be it of its manifest or of what is live. */
export function sensitivityOf(resource: DesiredResource): Sensitivity {
  const before = known.get(resource);
  if (before !== undefined) return before;
  const { ref, record, lifecycle } = resource;
  const made = byMarks(shapeOf(ref.kind, record), lifecycle.sensitive ?? [], record);
  known.set(resource, made);
  return made;
}

/** What may not be seen of a live record, by its declaration where it has one. */
export function sensitivityOfLive(ref: Ref, record: JsonObject, declared: DesiredResource | undefined): Sensitivity {
  return declared === undefined ? bySchema(shapeOf(ref.kind, record)) : sensitivityOf(declared);
}

/** Makes the bodies of its requests. `live`: what the platform has now, and may repeat in a refusal. */
export function bodiesOf(resource: DesiredResource, live: JsonObject | undefined): (document: JsonObject) => Body {
  const sensitivity = sensitivityOf(resource);
  const paths = resource.lifecycle.sensitive ?? [];
  const shape = shapeOf(resource.ref.kind, resource.record);
  const texts = live === undefined || paths.length === 0 ? [] : markedTexts(shape, paths, live);
  return (document) => new Body(document, maskSensitive(sensitivity, document), texts);
}
