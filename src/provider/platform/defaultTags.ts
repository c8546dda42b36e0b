import { type JsonObject, objectAt } from '../../base/json/json.ts';
import type { Diagnostic } from '../../hcl/diagnostic.ts';
import { ownNames, withAllTags } from '../../hcl/schema/ownAttributes.ts';
import { attributeOf, holdsUnknown, isObjectValue, type ObjectValue, unknown, type Value } from '../../hcl/value.ts';
import { ownTagPrefix } from '../../manifest/model/ownTags.ts';

/**
 * Tags that all resources of a provider block get.
 *
 * Terraform requires `tags` to equal the configuration, so `tags_all` has all of them. Inside of the provider `tags`
 * means all tags: input is translated by `configWithAll` and `plannedWithAll`, output by `plannedApart` and
 * `shownApart`.
 */
export type DefaultTags = ObjectValue;

export function tagsIn(value: Value | undefined): DefaultTags {
  return isObjectValue(value) ? Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null)) : {};
}

/** A configuration with all tags. A tag of the resource overrides the default; null removes it. */
export function configWithAll(config: ObjectValue, defaults: DefaultTags): ObjectValue {
  const tags = attributeOf(config, 'tags');
  if (tags === unknown || (tags === null && Object.keys(defaults).length === 0)) return config;
  const all = Object.entries({ ...defaults, ...(isObjectValue(tags) ? tags : {}) });
  return { ...config, tags: Object.fromEntries(all.filter(([, value]) => value !== null)) };
}

/** A planned state with all tags; those that were unknown in the plan are taken from the configuration. */
export function plannedWithAll(planned: ObjectValue, config: ObjectValue, defaults: DefaultTags): ObjectValue {
  const { [ownNames.tagsAll]: all = null, ...rest } = planned;
  if (!holdsUnknown(all)) return withAllTags(planned);
  const now = configWithAll({ ...rest, tags: attributeOf(config, 'tags') }, defaults);
  if (!isObjectValue(all)) return now;
  const known = attributeOf(now, 'tags');
  const filled = Object.entries(all).map(([key, value]) => [
    key,
    value === unknown && isObjectValue(known) ? attributeOf(known, key) : value,
  ]);
  return { ...rest, tags: Object.fromEntries(filled) };
}

/** A planned resource: `tags` as they are configured. */
export function plannedApart(planned: ObjectValue, config: ObjectValue): ObjectValue {
  return { ...planned, [ownNames.tagsAll]: allIn(planned), tags: attributeOf(config, 'tags') };
}

/** A state with the resource's own tags separated. `tags`: the written ones. */
export function shownApart(state: ObjectValue, tags: Value): ObjectValue {
  const all = allIn(state);
  return { ...state, [ownNames.tagsAll]: all, tags: isObjectValue(tags) ? ofResource(all, tags) : null };
}

function allIn(state: ObjectValue): Value {
  return attributeOf(state, 'tags') ?? {};
}

/** The resource's tags in the current state. */
function ofResource(all: Value, written: ObjectValue): Value {
  const now = isObjectValue(all) ? all : {};
  return Object.fromEntries(
    Object.entries(written)
      .filter(([key, value]) => value === null || Object.hasOwn(now, key))
      .map(([key]) => [key, attributeOf(now, key)]),
  );
}

/** The state of an import. A tag that equals a default may also be written in the resource, which is not known. */
export function importedApart(state: ObjectValue, defaults: DefaultTags): ObjectValue {
  const all = attributeOf(state, 'tags');
  const others = Object.entries(isObjectValue(all) ? all : {}).filter(
    ([key, value]) => attributeOf(defaults, key) !== value,
  );
  return shownApart(state, others.length === 0 ? null : Object.fromEntries(others));
}

/** The problems of the defaults of a provider block. */
export function wrongDefaults(defaults: Value | undefined, ignored: IgnoredTags): readonly Diagnostic[] {
  return Object.keys(tagsIn(defaults)).flatMap((key): readonly Diagnostic[] => {
    const path = ['default_tags', key];
    const name = JSON.stringify(key);
    if (key.startsWith(ownTagPrefix)) {
      const summary = `the tag ${name} belongs to Gantry`;
      return [{ severity: 'error', summary, detail: `Use a key that does not begin with ${ownTagPrefix}.`, path }];
    }
    if (!isIgnored(key, ignored)) return [];
    const summary = `the tag ${name} is a default and ignored at once`;
    return [{ severity: 'error', summary, detail: 'Remove it from default_tags, or from ignore_tags.', path }];
  });
}

/** Keys of tags of other writers; a `*` at the end matches all that begin so. */
export type IgnoredTags = readonly string[];

/** Gantry's own tags are never ignored, and never in a state. */
function isIgnored(key: string, ignored: IgnoredTags): boolean {
  if (key.startsWith(ownTagPrefix)) return false;
  return ignored.some((each) => (each.endsWith('*') ? key.startsWith(each.slice(0, -1)) : key === each));
}

/** The record without these tags. */
export function withoutIgnoredTags(record: JsonObject, ignored: IgnoredTags): JsonObject {
  const tags = objectAt(record, 'tags');
  const others = Object.entries(tags).filter(([key]) => !isIgnored(key, ignored));
  return others.length === Object.keys(tags).length ? record : { ...record, tags: Object.fromEntries(others) };
}

/** A tag that is both declared and ignored would have no effect. */
export function ignoredAndSet(config: ObjectValue | null, ignored: IgnoredTags): readonly Diagnostic[] {
  const tags = config === null ? null : attributeOf(config, 'tags');
  const keys = isObjectValue(tags) ? Object.keys(tags).filter((key) => isIgnored(key, ignored)) : [];
  return keys.map((key) => ({
    severity: 'error',
    summary: `the tag ${JSON.stringify(key)} is ignored by the provider block`,
    detail: 'Remove it here, or from ignore_tags of the provider block.',
    path: ['tags', key],
  }));
}

/** The problems of the patterns of the provider block. */
export function wrongPatterns(ignored: IgnoredTags): readonly string[] {
  return ignored.filter((each) => !/^[^*]+\*?$/.test(each) || each.startsWith(ownTagPrefix));
}
