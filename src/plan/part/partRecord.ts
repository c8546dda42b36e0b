import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { ownerOfPartTag, partTagOf } from '../../manifest/model/partTag.ts';
import { objectAt, stringAt } from '../../schema/json/json.ts';
import { linkOf } from '../../schema/record/links.ts';
import { compareText } from '../../schema/text/compareText.ts';
import type { PlanContext } from '../model/planContext.ts';
import { appliedTagLimit, type Hash, linkHash, readApplied } from '../record/ownership.ts';
import { type ItemPath, placeOf } from './items.ts';

const itemHashLength = 6;
const itemHashes = new RegExp(`.{${itemHashLength}}`, 'g');
const itemsField = /;i((?:[\w-]{6})*)$/;

/** The items of one resource that a stack owns, as `gantry/applied.<stack>` remembers them: hashes, and no value. */
export type OwnedItems = ReadonlySet<string>;

export function itemHash(path: ItemPath, hash: Hash): string {
  return hash(placeOf(path)).slice(0, itemHashLength);
}

/**
 * The text of `gantry/applied.<stack>`: format, hash of the resource's own link, the version that this write produces,
 * hashes of the items. Undefined: there are more items than at most 480 bytes hold.
 */
export function writePart(link: string, version: number, items: OwnedItems, hash: Hash): string | undefined {
  const text = `1;l${linkHash(link, hash)};v${version};i${[...items].sort().join('')}`;
  return text.length <= appliedTagLimit ? text : undefined;
}

/** How many items a tag can remember, whatever the version. */
export const mostItems = Math.floor(
  (appliedTagLimit - `1;l${'x'.repeat(12)};v${Number.MAX_SAFE_INTEGER};i`.length) / itemHashLength,
);

/** What a stack owns of this record; undefined where it carries no tag of that stack, or one of another resource. */
export function ownedItems(
  live: LiveResource,
  owner: string,
  { org, options }: Pick<PlanContext, 'org'> & { readonly options: Pick<PlanContext['options'], 'hash'> },
): OwnedItems | undefined {
  const tag = partTagOf(owner);
  const text = tag === undefined ? undefined : stringAt(objectAt(live.record, 'tags'), tag);
  return text === undefined ? undefined : readPart(text, linkOf(live.ref, org), options.hash);
}

/** What other stacks own of this record, by owner. */
export function itemsOfOthers(
  live: LiveResource,
  { org, options }: Pick<PlanContext, 'org'> & { readonly options: Pick<PlanContext['options'], 'hash' | 'owner'> },
): ReadonlyMap<string, OwnedItems> {
  const tags = objectAt(live.record, 'tags');
  const owned = new Map<string, OwnedItems>();
  for (const key in tags) {
    const owner = ownerOfPartTag(key);
    if (owner === undefined || owner === options.owner) continue;
    const items = readPart(stringAt(tags, key) ?? '', linkOf(live.ref, org), options.hash);
    if (items !== undefined) owned.set(owner, items);
  }
  return new Map([...owned].sort(([a], [b]) => compareText(a, b)));
}

/** The stack that owns an item; undefined if no tag names one. */
export function ownerAmong(others: ReadonlyMap<string, OwnedItems>, item: string): string | undefined {
  for (const [owner, items] of others) if (items.has(item)) return owner;
  return undefined;
}

/** Undefined: another version of Gantry wrote it, or it was copied here from another resource. */
function readPart(text: string, link: string, hash: Hash): OwnedItems | undefined {
  const items = itemsField.exec(text)?.[1];
  if (items === undefined || readApplied(text)?.linkHash !== linkHash(link, hash)) return undefined;
  return new Set(items.match(itemHashes) ?? []);
}
