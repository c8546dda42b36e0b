import { type JsonObject, objectAt } from '../../base/json/json.ts';
import type { Diagnostic } from '../../hcl/diagnostic.ts';
import { attributeOf, isObjectValue, type ObjectValue } from '../../hcl/value.ts';
import { ownTagPrefix } from '../../manifest/model/ownTags.ts';

/** Keys of tags that others write, each alone or, with `*` at its end, all that begin so. */
export type IgnoredTags = readonly string[];

/** Gantry's own tags are never ignored, and never in a state. */
export function isIgnored(key: string, ignored: IgnoredTags): boolean {
  if (key.startsWith(ownTagPrefix)) return false;
  return ignored.some((each) => (each.endsWith('*') ? key.startsWith(each.slice(0, -1)) : key === each));
}

/** The record as if nobody had set these tags. */
export function withoutIgnoredTags(record: JsonObject, ignored: IgnoredTags): JsonObject {
  const tags = objectAt(record, 'tags');
  const others = Object.entries(tags).filter(([key]) => !isIgnored(key, ignored));
  return others.length === Object.keys(tags).length ? record : { ...record, tags: Object.fromEntries(others) };
}

/** A tag that is declared and ignored: neither would count. */
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
