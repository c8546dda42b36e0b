import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { partHidden } from '../../schema/facts/kindFacts.ts';
import { isObject, type JsonObject, type JsonValue, listAt, own, stringAt } from '../../schema/json/json.ts';
import { isGvcScoped, type Kind } from '../../schema/record/kinds.ts';
import { formatRef, type Ref } from '../../schema/record/ref.ts';
import { withArticle } from '../../schema/text/article.ts';
import { badReply } from '../http/apiError.ts';

/**
 * Reads a record of an answer. Its GVC comes from its links, so that a list over all GVCs can be read too.
 *
 * A value that only `-reveal` shows is left out of every other answer: some platforms show it there as a mask, and a mask
 * looks like a value. A null is no value.
 */
export function toLive(kind: Kind, answer: JsonObject, isRevealed = false): LiveResource {
  const { shown, hidden } = partHidden(kind, answer);
  const record = isRevealed && Object.values(hidden).some((value) => value !== null) ? answer : shown;
  const uid = stringAt(record, 'id');
  const name = stringAt(record, 'name');
  const version = own(record, 'version') ?? (kind === 'user' ? 0 : undefined); // users have none
  if (uid === undefined || name === undefined || !isVersion(version)) {
    throw badReply(`the platform returned ${withArticle(kind)} whose name, id or version is missing or invalid`);
  }
  if (own(record, 'kind') !== kind)
    throw badReply(`the platform returned a record of another kind in place of ${withArticle(kind)}`);
  if (unusableName.test(name)) throw badReply(`the platform returned ${withArticle(kind)} with an invalid name`);
  const ref = refOf(kind, name, record);
  return { ref, id: formatRef(ref), uid, version, record };
}

/** Empty, of more than one segment, or with characters that no terminal shows. */
const unusableName = /^$|[/\p{C}]/u;

function isVersion(version: JsonValue | undefined): version is number {
  return Number.isSafeInteger(version) && typeof version === 'number' && version >= 0;
}

function refOf(kind: Kind, name: string, record: JsonObject): Ref {
  if (!isGvcScoped(kind)) return { kind, name };
  const gvc = gvcOf(record);
  if (gvc !== undefined) return { kind, name, gvc };
  throw badReply(`the platform returned ${kind}/${name} without a link to its GVC`);
}

/** The fourth segment of `/org/{org}/gvc/{gvc}[/...]`: of the `gvc` link, or of its own (platform/concepts.links). */
export function gvcOf(record: JsonObject): string | undefined {
  const href = linkTo(record, 'gvc') ?? linkTo(record, 'self');
  const [, , , kind, gvc] = href?.split('/') ?? [];
  return kind === 'gvc' ? gvc : undefined;
}

/** The target of the first link with this `rel`. */
export function linkTo(record: JsonObject, rel: string): string | undefined {
  for (const link of listAt(record, 'links')) {
    if (isObject(link) && own(link, 'rel') === rel) return stringAt(link, 'href');
  }
  return undefined;
}
