import { fieldIn, isArray, type JsonObject, type JsonValue, objectAt, own, stringAt } from '../../base/json/json.ts';
import { compact, present } from '../../base/json/present.ts';
import { type AdoptedManifest, manifestOf as adoptedManifest, referredKeys } from '../../change/adopt.ts';
import type { AttributePath } from '../../hcl/diagnostic.ts';
import { kindOfType } from '../../hcl/schema/names.ts';
import { ownNames as ownAttribute, withAllTags, writeOnly } from '../../hcl/schema/ownAttributes.ts';
import { resourceSchema } from '../../hcl/schema/providerSchema.ts';
import { manifestOf, pathText } from '../../hcl/values/manifestOf.ts';
import type { StateResource } from '../../hcl/values/readState.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Hash } from '../../plan/record/ownership.ts';
import { type CreatableKind, isCreatableKind } from '../../schema/record/kinds.ts';
import { protectedTag } from '../../schema/record/protection.ts';
import { formatRef, parseLink, refTo } from '../../schema/record/ref.ts';

/** The resources of a state that Gantry can declare. */
export interface StateManifests {
  readonly manifests: readonly AdoptedManifest[];
  /** The Terraform addresses of the declared resources. */
  readonly addresses: readonly string[];
  readonly left: readonly { readonly id: string; readonly because: string }[];
}

export interface StateOptions {
  readonly hash: Hash;
  /** The org if the state does not contain it. */
  readonly org: string;
  /** The owner tag of Terraform's resources, which is taken over. */
  readonly from?: string;
  /** Whether manifests contain sensitive values; otherwise placeholders, which never overwrite a value. */
  readonly reveal: boolean;
}

/** The resources of a state as manifests with the fewest fields. */
export function manifestsOfState(resources: readonly StateResource[], options: StateOptions): StateManifests {
  const read = resources.map((resource) => ({ resource, found: recordOf(resource, options) }));
  const known = compact(read, ({ found }) => (typeof found === 'string' ? undefined : found));
  const keysOf = referredKeys(known, options.org);
  return {
    manifests: known.map((live) => {
      const made = adoptedManifest(live, { org: live.org, hash: options.hash, keysOf });
      const adopt = present({ adopt: options.from === undefined ? undefined : { from: options.from } });
      return instructed(options.reveal ? revealed(made, live.record) : made, { ...live.lifecycle, ...adopt });
    }),
    addresses: compact(read, ({ resource, found }) => (typeof found === 'string' ? undefined : resource.address)),
    left: read.flatMap(({ resource, found }) =>
      typeof found === 'string' ? [{ id: resource.address, because: found }] : [],
    ),
  };
}

interface StateRecord extends LiveResource {
  readonly org: string;
  /** The provider's settings for the resource that a manifest also has. */
  readonly lifecycle: JsonObject;
}

/** The record as if read from the platform; a text is the reason why there is none. */
function recordOf(
  { type, values, sensitive }: StateResource,
  { org: usualOrg, reveal }: StateOptions,
): StateRecord | string {
  const named = kindOfType(type);
  if (named === undefined || !isCreatableKind(named.kind)) return `${type} is not a resource of this provider`;
  const { kind } = named;
  const exposed = reveal ? [] : sensitive.filter((path) => wouldShow(kind, values, path));
  if (exposed.length > 0) {
    const names = exposed.map((path) => pathText(path) || 'everything').join(', ');
    return `${names} is sensitive in the state, and a manifest would have it in clear: --reveal writes it`;
  }
  const { record, resource, diagnostics } = manifestOf(kind, withAllTags(values));
  const [wrong] = diagnostics;
  if (wrong !== undefined) return `${wrong.summary}. ${wrong.detail}`;
  const name = stringAt(record, 'name');
  if (name === undefined) return 'it has no name';
  const ref = refTo(kind, name, stringAt(resource, 'gvc'));
  const isProtected = own(objectAt(resource, 'lifecycle'), 'protect') === true;
  const tags = { ...objectAt(record, 'tags'), ...(isProtected ? { [protectedTag]: true } : {}) };
  return {
    ref,
    id: formatRef(ref),
    uid: stringAt(values, 'id') ?? '',
    version: 0, // the state lacks it
    record: { ...record, tags },
    org: parseLink(stringAt(values, 'link') ?? '', { org: usualOrg })?.org ?? usualOrg,
    lifecycle: lifecycleOf(values),
  };
}

/**
 * Whether the manifest would contain this sensitive value: fields that are sensitive by the schema get a placeholder
 * instead.
 */
function wouldShow(kind: CreatableKind, values: JsonObject, path: AttributePath): boolean {
  const [name = ''] = path;
  const attribute = resourceSchema(kind).attributes[name];
  const isPlatforms = attribute?.computed === true && attribute.optional !== true;
  if (isPlatforms || name === hiddenField(kind) || name === writeOnly.data) return false;
  const value = path.reduce<JsonValue | undefined>((at, step) => {
    if (isArray(at)) return typeof step === 'number' ? at[step] : at; // a set as a whole
    return fieldIn(at, String(step));
  }, values);
  return value !== undefined && value !== null;
}

function lifecycleOf(values: JsonObject): JsonObject {
  const waits = own(values, ownAttribute.waitForReady) === true;
  const waitTimeout = stringAt(objectAt(values, ownAttribute.timeouts), 'create');
  return {
    ...(own(values, ownAttribute.allowDataLoss) === true ? { replace: true } : {}),
    ...(waits ? { wait: true, ...present({ waitTimeout }) } : {}),
  };
}

/** The order of manifests. */
const beforeLifecycle: ReadonlySet<string> = new Set(['kind', 'name', 'gvc', 'description', 'tags']);

function instructed(made: AdoptedManifest, more: JsonObject): AdoptedManifest {
  if (Object.keys(more).length === 0) return made;
  const { lifecycle: _lifecycle, ...rest } = made.manifest;
  const fields = Object.entries(rest);
  const lifecycle = { ...objectAt(made.manifest, 'lifecycle'), ...more };
  const manifest = {
    ...Object.fromEntries(fields.filter(([name]) => beforeLifecycle.has(name))),
    lifecycle,
    ...Object.fromEntries(fields.filter(([name]) => !beforeLifecycle.has(name))),
  };
  return { ...made, manifest };
}

/** Replaces the placeholders by the values of the state, and removes their exceptions. */
function revealed(made: AdoptedManifest, record: JsonObject): AdoptedManifest {
  const values = compact(made.placeholders, (field) => {
    const value = own(record, field);
    return value === undefined ? undefined : ([field, value] as const);
  });
  if (values.length < made.placeholders.length) return made;
  const { lifecycle: _lifecycle, ...rest } = made.manifest;
  const { ignore: _ignore, ...kept } = objectAt(made.manifest, 'lifecycle');
  const manifest = {
    ...rest,
    ...present({ lifecycle: Object.keys(kept).length === 0 ? undefined : kept }),
    ...Object.fromEntries(values),
  };
  return { ...made, manifest, placeholders: [] };
}
