import { type JsonObject, type JsonValue, own, stringAt } from '../base/json/json.ts';
import { isOnlyMasks } from '../base/json/mask.ts';
import { withArticle } from '../base/text/article.ts';
import { isNamedByEmail, partHidden } from '../kinds/kindFacts.ts';
import { type LiveResource, ShownValue } from '../manifest/live/snapshot.ts';
import { hrefOf } from '../schema/record/hrefOf.ts';
import { isGvcScoped, type Kind } from '../schema/record/kinds.ts';
import { formatRef, type Ref } from '../schema/record/ref.ts';
import { badReply, noVersion } from './http/apiError.ts';

/**
 * Reads a record in an answer. `gvc`: the GVC that it was read in; in a list over all GVCs, its links name the GVC.
 *
 * A value that only `-reveal` shows is omitted from every other answer: some platforms mask it there, and a mask looks
 * like a value. Neither a null nor a revealed mask is a value.
 */
export function toLive(kind: Kind, answer: JsonObject, gvc?: string, isRevealed = false): LiveResource {
  const { shown, hidden } = partHidden(kind, answer);
  const [value = null] = Object.values(hidden);
  const isKnown = isRevealed && value !== null && !isOnlyMasks(value);
  const record = isKnown ? answer : shown;
  const uid = stringAt(record, 'id');
  const name = stringAt(record, 'name');
  const version = versionOf(own(record, 'version') ?? (isNamedByEmail(kind) ? 0 : undefined)); // users have none
  if (uid === undefined || name === undefined) {
    throw badReply(`the platform returned ${withArticle(kind)} whose name or id is missing or invalid`);
  }
  const said = own(record, 'kind');
  if (said !== undefined && said !== kind)
    throw badReply(`the platform returned a record of another kind in place of ${withArticle(kind)}`);
  if (unusableName.test(name)) throw badReply(`the platform returned ${withArticle(kind)} with an invalid name`);
  if (version === undefined) throw noVersion(`${kind}/${name}`);
  const ref = refOf(kind, name, gvc ?? gvcOf(record));
  const of = { ref, id: formatRef(ref), uid, version, record };
  return isKnown || value === null ? of : { ...of, shown: new ShownValue(value) };
}

/** Empty, not one segment of a path, or with unprintable characters. */
const unusableName = /^\.{0,2}$|[/\p{C}]/u;

/** A text of digits is read as a number. */
function versionOf(version: JsonValue | undefined): number | undefined {
  const number = typeof version === 'string' && /^\d+$/.test(version) ? Number(version) : version;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

function refOf(kind: Kind, name: string, gvc: string | undefined): Ref {
  if (!isGvcScoped(kind)) return { kind, name };
  if (gvc !== undefined) return { kind, name, gvc };
  throw badReply(`the platform returned ${kind}/${name} without a link to its GVC`);
}

/** The record that an item of a list represents, even if the item has only a name or a link. */
export function refOfItem(kind: Kind, item: JsonObject, gvc?: string): Ref {
  const self = hrefOf(item, 'self') ?? stringAt(item, 'href') ?? stringAt(item, 'link') ?? stringAt(item, 'selfLink');
  const name = stringAt(item, 'name') ?? self?.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
  if (unusableName.test(name)) throw badReply(`the platform returned ${withArticle(kind)} without a valid name`);
  return refOf(kind, name, gvc ?? gvcOf(item) ?? gvcIn(self));
}

/** The GVC of its link `gvc`, or of its own address (platform/concepts.links). */
export function gvcOf(record: JsonObject): string | undefined {
  const gvc = hrefOf(record, 'gvc');
  if (gvc !== undefined && gvc !== '' && !gvc.includes('/')) return gvc; // only its name
  return gvcIn(gvc) ?? gvcIn(hrefOf(record, 'self'));
}

/** Matches every form of an address: `/org/ORG/gvc/GVC`, the same with a host, `//gvc/GVC` and `gvc/GVC`. */
function gvcIn(href: string | undefined): string | undefined {
  return /(?:^\/{0,2}|(?:^|\/)org\/[^/?#]+\/)gvc\/([^/?#]+)/.exec(href ?? '')?.[1];
}
