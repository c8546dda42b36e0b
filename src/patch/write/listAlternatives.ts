import type { JsonArray, JsonValue } from '../../schema/json/json.ts';
import type { Shape } from '../../schema/shape/shape.ts';
import { type Identity, identityOf } from '../model/identity.ts';
import type { Candidate } from './cost.ts';
import { appended, keepings, type NamedItems, nameItems } from './writeList.ts';
import { type WriteOptions, writer } from './writePatch.ts';

/** Directives that could not be used here, and why. */
export interface Impossible {
  readonly directives: readonly string[];
  readonly because: string;
}

/** Every way to write a list by directives, also those that are never the cheapest, and why the others cannot be. */
export function listWays(
  shape: Shape,
  field: string,
  live: JsonArray,
  target: JsonArray,
  options: WriteOptions,
): { readonly ways: readonly Candidate[]; readonly impossible: readonly Impossible[] } {
  const write = writer(options);
  const identity = identityOf(shape, live, options.context);
  const onlyAdded = appended(shape, field, live, target, identity, write);
  const cannot = (directives: readonly string[], because: string | undefined): readonly Impossible[] =>
    because === undefined ? [] : [{ directives: directives.map((word) => `${word}/${field}`), because }];
  const notAdded = onlyAdded.length > 0 ? undefined : 'what is live is not the beginning of what is wanted';

  const named = identity === undefined ? undefined : nameItems(identity, live, target);
  const because = whyUnnamed(identity, named, live, target, options);
  if (because !== undefined || named === undefined) {
    return {
      ways: onlyAdded,
      impossible: [...cannot(['$patch', '$drop', '$retain'], because), ...cannot(['$append'], notAdded)],
    };
  }
  const ways = [...onlyAdded, ...keepings(shape, field, named, write)].flatMap((way) => withTwin(way, field, named));
  const moved = 'no live item can keep its place, or one that stays cannot be changed by itself';
  return { ways, impossible: ways.length > 0 ? [] : cannot(['$patch', '$drop', '$retain', '$append'], moved) };
}

function whyUnnamed(
  identity: Identity | undefined,
  named: NamedItems | undefined,
  live: JsonArray,
  target: JsonArray,
  { directives }: WriteOptions,
): string | undefined {
  if (identity === undefined) return 'its items have no key';
  if (directives === 'stated' && identity.evidence === 'proposed') {
    return 'the key of its items is only proposed, and the endpoint does not say that it honours all directives';
  }
  if (named !== undefined) return undefined;
  if ([...live, ...target].some((item) => identity.ofItem(item) === undefined)) return 'an item has no key';
  if (!isDistinct(identity, live)) return 'the keys of the live items are not unique';
  return isDistinct(identity, target)
    ? 'an item cannot be named by its key'
    : 'the keys of the items wanted are not unique';
}

function isDistinct(identity: Identity, items: JsonArray): boolean {
  return new Set(items.map(identity.ofItem)).size === items.length;
}

/** What goes can be named, or what stays: the way, and the same with the other of the two. */
function withTwin(way: Candidate, field: string, { identity, live }: NamedItems): readonly Candidate[] {
  const texts = [...new Set(live.map(({ name, item }) => identity.textOf(item) ?? name))];
  const twin = way.entries.map(({ key, value }) => {
    const other = key === `$drop/${field}` ? `$retain/${field}` : key === `$retain/${field}` ? `$drop/${field}` : key;
    return other === key || !Array.isArray(value) ? { key, value } : { key: other, value: others(texts, value) };
  });
  const naming = way.entries.findIndex(({ key }, index) => key !== twin[index]?.key);
  const [was, is] = [lengthOf(way.entries[naming]?.value), lengthOf(twin[naming]?.value)];
  return naming < 0 ? [way] : [way, { entries: twin, leaves: way.leaves - was + is }];
}

function others(texts: readonly string[], named: readonly unknown[]): readonly string[] {
  return texts.filter((text) => !named.includes(text));
}

function lengthOf(value: JsonValue | undefined): number {
  return Array.isArray(value) ? value.length : 0;
}
