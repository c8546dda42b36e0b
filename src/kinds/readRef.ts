import { present } from '../base/json/present.ts';
import { withArticle } from '../base/text/article.ts';
import { inWords } from '../base/text/inWords.ts';
import { isGvcScoped, type Kind, kindNamed } from '../schema/record/kinds.ts';
import { type ParsedLink, parseLink, type Ref, refTo } from '../schema/record/ref.ts';
import { aKind } from './kindWords.ts';

/** The records that a REF may name. */
export interface RefScope {
  /** A bare name is of the first kind. */
  readonly kinds: readonly [Kind, ...Kind[]];
  readonly org: string;
  /** The GVC for bare names and `//KIND/NAME`; undefined if none is set. */
  readonly gvc?: string | undefined;
  /** Whether a link may lead to another GVC. */
  readonly inAnyGvc?: boolean | undefined;
}

/** Why a REF is refused. */
export interface WrongRef {
  /**
   * `form`: it is not a REF. `no-gvc`: its GVC is unknown. The others: it names a record of another kind, org or GVC.
   */
  readonly why: 'form' | 'kind' | 'org' | 'gvc' | 'no-gvc';
  readonly message: string;
  /** The other org or GVC. */
  readonly other?: string;
}

/**
 * Reads a user's reference to a record: a name, `KIND/NAME`, or a link in any form (platform/concepts.links). A link to
 * another kind, org or GVC is refused, never followed: a command only affects the records that it states.
 */
export function readRef(text: string, scope: RefScope): { readonly ref: Ref } | { readonly wrong: WrongRef } {
  const { kinds, org, gvc, inAnyGvc = false } = scope;
  const [kind] = kinds;
  const expectedKinds = inWords(kinds.map(withArticle), 'or');
  const shown = JSON.stringify(text);
  const link = linkIn(text);

  if (link === undefined) {
    if (!isName(text)) return wrongRef('form', `${shown} is not a valid name`);
    if (kind === 'org' && text !== org) return wrongRef('org', `${shown} is not the org ${org}`, text);
    if (!isGvcScoped(kind)) return { ref: refTo(kind, text, undefined) };
    if (gvc === undefined) return wrongRef('no-gvc', `${aKind(kind)} belongs to a GVC, and none was given`);
    return { ref: refTo(kind, text, gvc) };
  }

  const short = kindInShortLink(link);
  if (short !== undefined && kinds.includes(short) && gvc === undefined) {
    return wrongRef('no-gvc', `${aKind(short)} belongs to a GVC, and ${shown} names none`);
  }
  const context = gvc === undefined ? { org } : { org, gvc };
  const parsed = parseLink(link, context, short === undefined ? undefined : { to: [short], inOwnGvc: true });
  if (parsed === undefined || !hasNames(parsed))
    return wrongRef('form', `${shown} is not a valid link to ${expectedKinds}`);
  const { ref } = parsed;
  if (!kinds.includes(ref.kind)) {
    return wrongRef('kind', `${shown} is a link to ${withArticle(ref.kind)}, not to ${expectedKinds}`);
  }
  if (parsed.org !== org) return wrongRef('org', `${shown} is in the org ${parsed.org}, not in ${org}`, parsed.org);
  if (!inAnyGvc && gvc !== undefined && ref.gvc !== undefined && ref.gvc !== gvc) {
    return wrongRef('gvc', `${shown} is in the GVC ${ref.gvc}, not in ${gvc}`, ref.gvc);
  }
  return { ref };
}

function wrongRef(why: WrongRef['why'], message: string, other?: string): { readonly wrong: WrongRef } {
  return { wrong: { why, message, ...present({ other }) } };
}

/** `KIND/...` is short for `//KIND/...`. */
function linkIn(text: string): string | undefined {
  if (text.startsWith('/')) return text;
  const at = text.indexOf('/');
  return at > 0 && kindNamed(text.slice(0, at)) !== undefined ? `//${text}` : undefined;
}

/** The kind in `//KIND/NAME`, if it is GVC-scoped. */
function kindInShortLink(link: string): Kind | undefined {
  const [, word = ''] = /^\/\/([^/]+)\/[^/]+$/.exec(link) ?? [];
  return isGvcScoped(word) ? kindNamed(word) : undefined;
}

function hasNames({ org, ref: { name, gvc } }: ParsedLink): boolean {
  return isName(org) && isName(name) && (gvc === undefined || isName(gvc));
}

/** Whether it can be a path segment without another meaning. `-query` and the like are operations. */
function isName(text: string): boolean {
  return text !== '.' && text !== '..' && /^[^-\s\\/\p{C}][^\s\\/\p{C}]*$/u.test(text);
}

/** The forms of a REF to one of these kinds. */
export function refForms(kinds: RefScope['kinds']): string {
  const links = kinds.map((kind) => {
    if (kind === 'org') return '/org/NAME';
    return isGvcScoped(kind) ? `//gvc/GVC/${kind}/NAME` : `//${kind}/NAME`;
  });
  return inWords(['NAME', ...links], 'or');
}
