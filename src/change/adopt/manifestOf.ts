import { type JsonObject, type JsonValue, objectAt, put, stringAt } from '../../base/json/json.ts';
import { placeholderData } from '../../kinds/secret/placeholders.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { isUnwritable, userTags } from '../../manifest/live/userTags.ts';
import type { Lifecycle } from '../../manifest/model/lifecycle.ts';
import { declarable } from '../../patch/reconcile/declarable.ts';
import { partsOfOthers } from '../../plan/claims/claims.ts';
import { withoutItems } from '../../plan/part/mergePart.ts';
import type { Hash } from '../../plan/record/ownership.ts';
import { shapeFacts, withoutAdded, withoutFields } from '../../plan/record/shapeFacts.ts';
import { isProtected } from '../../schema/record/protection.ts';
import { contextOf, type ResourceId } from '../../schema/record/ref.ts';
import { formatPath } from '../../schema/shape/paths.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';

/** A live resource as code: the fewest fields with which its plan is empty. */
export interface AdoptedManifest {
  readonly id: ResourceId;
  readonly manifest: JsonObject;
  /** Sensitive fields with a placeholder: their values are never read or written. */
  readonly placeholders: readonly string[];
  /** Paths that the schema does not know, or no patch can write: they stay as they are. */
  readonly unknown: readonly string[];
}

export interface AdoptContext {
  readonly org: string;
  readonly hash: Hash;
  /** The keys of a dictionary secret that others refer to. */
  readonly keysOf: (secret: ResourceId) => readonly string[];
}

/**
 * The manifest of a live record, without the parts of other stacks and without the tags of Gantry and the platform; the
 * guard tag becomes `lifecycle.protect`. Sensitive fields get a placeholder that the rules accept, and are listed in
 * `lifecycle.ignore`, so that the live value stays: the placeholder would only be used to create the resource again.
 */
export function manifestOf(live: LiveResource, context: AdoptContext): AdoptedManifest {
  const { org, keysOf } = context;
  const { ref, id } = live;
  const shape = shapeOf(ref.kind, live.record);
  const hidden = shapeFacts(shape).sensitive;
  const record = withoutAdded(shape, withoutParts(live, shape, context));
  const visible = withoutFields(
    record,
    [...hidden, 'tags'].map((name) => [name]),
  );
  const { record: said, unknown: undeclared } = declarable(shape, visible, contextOf(ref, org));
  const unwritable = Object.keys(objectAt(record, 'tags')).filter(isUnwritable);
  const unknown = [...undeclared, ...unwritable.map((key) => formatPath(shape, record, ['tags', key]))];

  const { name: _name, description, ...rest } = said;
  const tags = userTags(record);
  const placeholders = hidden.filter((field) => shape.required?.has(field) === true);
  const lifecycle: Lifecycle = {
    ...(isProtected(live.record) ? { protect: true } : {}),
    ...(placeholders.length === 0 ? {} : { ignore: placeholders }),
  };
  const manifest = defined({
    kind: ref.kind,
    name: ref.name,
    gvc: ref.gvc,
    description,
    tags: Object.keys(tags).length === 0 ? undefined : tags,
    lifecycle: Object.keys(lifecycle).length === 0 ? undefined : { ...lifecycle },
    ...rest,
    ...Object.fromEntries(
      placeholders.map((field) => [field, placeholderData(stringAt(live.record, 'type') ?? '', keysOf(id)) ?? {}]),
    ),
  });
  return { id, manifest, placeholders, unknown };
}

/** The record without the items that stacks set as their parts, whoever owns the rest. */
function withoutParts(live: LiveResource, shape: ObjectShape, { org, hash }: AdoptContext): JsonObject {
  const parts = [...partsOfOthers(live, { owner: '', org, hash }).values()];
  if (parts.length === 0) return live.record;
  const set = parts.flatMap(({ holds }) => [...holds].flatMap(([item, hold]) => (hold === 'set' ? [item] : [])));
  return withoutItems(shape, live.record, new Set(set), contextOf(live.ref, org), hash);
}

function defined(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) put(result, name, value);
  return result;
}
