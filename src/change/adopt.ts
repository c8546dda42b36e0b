import { type JsonObject, type JsonValue, objectAt, put, stringAt } from '../base/json/json.ts';
import { compact, nonEmpty } from '../base/json/present.ts';
import { withArticle } from '../base/text/article.ts';
import { isSecret } from '../kinds/kindFacts.ts';
import { references } from '../kinds/references.ts';
import { placeholderData, secretTypes } from '../kinds/secret/fields.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { Lifecycle } from '../manifest/model/manifest.ts';
import { appliedTag, isUnwritable, ownerTag, userTags } from '../manifest/model/ownTags.ts';
import { declarable } from '../patch/declarable.ts';
import { withoutItems } from '../plan/draft/mergePart.ts';
import type { Change } from '../plan/model/change.ts';
import type { Plan } from '../plan/model/plan.ts';
import { partsOfOthers } from '../plan/record/claims.ts';
import { type Hash, ownershipOf } from '../plan/record/ownership.ts';
import { shapeFacts, withoutAdded, withoutFields } from '../plan/record/shapeFacts.ts';
import { isDeclarable } from '../schema/record/kinds.ts';
import { isProtected } from '../schema/record/protection.ts';
import { contextOf, formatRef, type ResourceId } from '../schema/record/ref.ts';
import { formatPath } from '../schema/shape/paths.ts';
import type { ObjectShape } from '../schema/shape/shape.ts';

/** A live resource as code, with the fewest fields whose plan is empty. */
export interface AdoptedManifest {
  readonly id: ResourceId;
  readonly manifest: JsonObject;
  /** Sensitive fields with a placeholder: their values are never read or written. */
  readonly placeholders: readonly string[];
  /** Paths that the schema does not know or that no patch can write: they stay unchanged. */
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
  const { record: declared, unknown: undeclared } = declarable(shape, visible, contextOf(ref, org));
  const unwritable = Object.keys(objectAt(record, 'tags')).filter(isUnwritable);
  const unknown = [...undeclared, ...unwritable.map((key) => formatPath(shape, record, ['tags', key]))];

  const { name: _name, description, ...rest } = declared;
  const tags = userTags(record);
  const placeholders = hidden.filter((field) => shape.required?.has(field) === true);
  const lifecycle: Lifecycle = {
    ...(isProtected(live.record) ? { protect: true } : {}),
    ...nonEmpty({ ignore: placeholders }),
  };
  const manifest = withoutUndefined({
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

/** The record without the items that stacks claim as parts, whichever stack owns the rest. */
function withoutParts(live: LiveResource, shape: ObjectShape, { org, hash }: AdoptContext): JsonObject {
  const parts = [...partsOfOthers(live, { owner: '', org, hash }).values()];
  if (parts.length === 0) return live.record;
  const set = parts.flatMap(({ holds }) => [...holds].flatMap(([item, hold]) => (hold === 'set' ? [item] : [])));
  return withoutItems(shape, live.record, new Set(set), contextOf(live.ref, org), hash);
}

function withoutUndefined(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) put(result, name, value);
  return result;
}

/** Built-in records: every org has many of them. */
export const builtIn = 'it is built in';

/** The reason why a live resource cannot be adopted; undefined if it can. */
export function whyNotAdopted(
  live: LiveResource,
  { owner, org, hash }: { readonly owner: string; readonly org: string; readonly hash: Hash },
): string | undefined {
  const undeclarable = whyNotDeclared(live);
  if (undeclarable !== undefined) return undeclarable;
  const ownership = ownershipOf(live, owner, org, hash);
  switch (ownership.state) {
    case 'ours':
    case 'unrecorded':
      return 'it belongs to this stack already';
    case 'other':
      return (
        `it belongs to the stack ${ownership.owner}; if that stack hands it over, ` +
        `declare it with lifecycle.adopt: {from: ${ownership.owner}}`
      );
    case 'copy':
    case 'lost':
    case 'none':
      return undefined;
  }
}

/** The reason why no manifest can declare a live resource, whoever owns it; undefined if one can. */
export function whyNotDeclared({ ref: { kind }, record }: LiveResource): string | undefined {
  if (!isDeclarable(kind)) return `${withArticle(kind)} is created by the platform and cannot be declared`;
  if (stringAt(record, 'origin') === 'builtin') return builtIn;
  return isSecret(kind) && !secretTypes.some((type) => type === stringAt(record, 'type'))
    ? 'it is a secret of a type that Gantry does not know'
    : undefined;
}

/** Which keys of which secrets these records read (`scheme://secret/NAME.KEY`), sorted. */
export function referredKeys(
  resources: readonly LiveResource[],
  org: string,
): (secret: ResourceId) => readonly string[] {
  const keys = new Map<ResourceId, Set<string>>();
  for (const { ref, record } of resources) {
    for (const { target, key } of references(ref.kind, record, contextOf(ref, org))) {
      if (key === undefined) continue;
      const id = formatRef(target);
      keys.set(id, (keys.get(id) ?? new Set()).add(key));
    }
  }
  return (secret) => [...(keys.get(secret) ?? [])].sort();
}

/** Changes besides the adoption that the plan of the written manifests would make to a resource. */
export interface Disproof {
  readonly id: ResourceId;
  /** Sentences, with the paths of fields. */
  readonly because: readonly string[];
}

/** The resources in `ids` that the plan does not adopt, or to which it writes more than Gantry's two tags. */
export function disproveAdoption(plan: Plan, ids: readonly ResourceId[]): readonly Disproof[] {
  const changes = new Map(plan.changes.map((change) => [change.id, change]));
  return compact(ids, (id) => {
    const because = objections(changes.get(id));
    return because.length === 0 ? undefined : { id, because };
  });
}

function objections(change: Change | undefined): readonly string[] {
  if (change === undefined) return ['it is missing from the written manifests'];
  const found = [
    ...change.refusals.map(({ code, message }) => `${code}: ${message}`),
    ...change.fields.map(({ path }) => `${path} would change`),
  ];
  if (found.length > 0) return found;
  if (change.action !== 'adopt')
    return [`it would be ${change.action === 'keep' ? 'kept, not adopted' : change.action}`];
  const extra = extraWrites(change);
  return extra.length === 0 ? [] : [`it would write ${extra.join(', ')}`];
}

const pinFields: ReadonlySet<string> = new Set(['id', 'version', 'tags']);
const ownTags: ReadonlySet<string> = new Set([ownerTag, appliedTag]);

function extraWrites({ patch, then }: Change): readonly string[] {
  const body = patch?.masked ?? {};
  return compact([
    ...Object.keys(body).filter((name) => !pinFields.has(name)),
    ...Object.keys(objectAt(body, 'tags')).filter((key) => !ownTags.has(key)),
    then === undefined ? undefined : 'a second step',
  ]);
}
