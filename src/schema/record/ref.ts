import { isContainer, isGvcScoped, isOrg, type Kind, kindNamed } from './kinds.ts';

/** Our address of a resource. `gvc` is set exactly for GVC-scoped kinds. */
export interface Ref {
  readonly kind: Kind;
  readonly name: string;
  readonly gvc?: string;
}

export function refTo<K extends Kind>(kind: K, name: string, gvc: string | undefined): Ref & { readonly kind: K } {
  return gvc === undefined ? { kind, name } : { kind, name, gvc };
}

/** `kind/[gvc/]name`, the form in plans, messages and `dependsOn`. */
export type ResourceId = string;

export function formatRef(ref: Omit<Ref, 'kind'> & { readonly kind: string }): ResourceId {
  return ref.gvc === undefined ? `${ref.kind}/${ref.name}` : `${ref.kind}/${ref.gvc}/${ref.name}`;
}

/** The org and GVC of a record, for resolving short links. */
export interface RecordContext {
  readonly org: string;
  /** The record's own GVC, for GVC-scoped kinds; for a GVC, its own name. */
  readonly gvc?: string;
}

/** The GVC of a resource that is in one. */
export function gvcOf({ gvc }: Ref): Ref | undefined {
  return gvc === undefined ? undefined : { kind: 'gvc', name: gvc };
}

/** The context against which short links in this record are resolved: for a GVC, its own name is its GVC. */
export function contextOf({ kind, name, gvc }: Ref, org: string): RecordContext {
  if (isContainer(kind)) return { org, gvc: name };
  return gvc === undefined || gvc === '' ? { org } : { org, gvc };
}

/** The forms of a link that a field accepts (platform/concepts.links). */
export interface LinkForms {
  /** The kinds that it may refer to. */
  readonly to: readonly Kind[];
  /** The short form `//identity/x` means the referrer's own GVC. */
  readonly inOwnGvc?: true;
  /** A bare name is also allowed (`localOptions[].location`). */
  readonly orName?: true;
}

/** A parsed link: its org, and the ref of its target. */
export interface ParsedLink {
  readonly org: string;
  readonly ref: Ref;
}

/** The path of a resource, after the host of a platform and the path prefix of its endpoint. */
const address = /^https?:\/\/[^/?#]+(?:\/[^/?#]+)*?(\/org\/[^?#]+)$/i;

/**
 * Expands a link of any accepted form to `/org/...` (platform/concepts.links); some platforms show
 * `https://HOST/org/...`. Text that is not a link stays unchanged, and so does a bare name where names are not allowed.
 */
export function expandLink(text: string, context: RecordContext, forms?: LinkForms): string {
  if (text.startsWith('/org/')) return text;
  const path = text.startsWith('http') ? address.exec(text)?.[1] : undefined;
  if (path !== undefined) return path;
  const [only] = forms?.to ?? [];
  if (text.startsWith('//')) {
    if (forms?.inOwnGvc === true && context.gvc !== undefined && only !== undefined && text.startsWith(`//${only}/`)) {
      return `/org/${context.org}/gvc/${context.gvc}/${text.slice(2)}`;
    }
    return `/org/${context.org}/${text.slice(2)}`;
  }
  if (forms?.orName === true && only !== undefined && text !== '' && !text.includes('/')) {
    return linkOf(ownRef(only, text, context), context.org);
  }
  return text;
}

/** Undefined if it is not a link, or its target is not of a kind that Gantry knows. */
export function parseLink(text: string, context: RecordContext, forms?: LinkForms): ParsedLink | undefined {
  const segments = expandLink(text, context, forms).split('/');
  const { length } = segments;
  if (segments[0] !== '' || segments[1] !== 'org') return undefined;

  const [, , org = '', first = '', name = '', second = '', child = ''] = segments;
  if (length === 3) return org === '' ? undefined : { org, ref: { kind: 'org', name: org } };
  if ((length !== 5 && length !== 7) || org === '' || name === '') return undefined;
  if (length === 5) {
    const kind = kindNamed(first);
    return kind === undefined || isOrg(kind) || isGvcScoped(kind) ? undefined : { org, ref: { kind, name } };
  }
  if (first !== 'gvc' || child === '') return undefined;
  const kind = kindNamed(second);
  return kind !== undefined && isGvcScoped(kind) ? { org, ref: { kind, name: child, gvc: name } } : undefined;
}

/** The full link of a resource, which is also its path (platform/concepts.kinds). */
export function linkOf(ref: Ref, org: string): string {
  return `${collectionPath(ref.kind, org, ref.gvc)}/${ref.name}`;
}

/** The org-independent link `//KIND/NAME`. The link of an org itself has no such form. */
export function shortLinkOf(ref: Ref): string {
  if (isOrg(ref.kind)) return linkOf(ref, ref.name);
  return ref.gvc === undefined ? `//${ref.kind}/${ref.name}` : `//gvc/${ref.gvc}/${ref.kind}/${ref.name}`;
}

/** Where a kind is listed and created; without `gvc`, the org-level collection of a GVC-scoped kind. */
export function collectionPath(kind: Kind, org: string, gvc?: string): string {
  if (isOrg(kind)) return '/org';
  return gvc === undefined ? `/org/${org}/${kind}` : `/org/${org}/gvc/${gvc}/${kind}`;
}

/** The ref of a bare name in this record's scope. */
export function ownRef(kind: Kind, name: string, context: RecordContext): Ref {
  return isGvcScoped(kind) && context.gvc !== undefined ? { kind, name, gvc: context.gvc } : { kind, name };
}

/** The text after the last `/`: locations are compared by it, in any form (platform/concepts.rewritten). */
export function lastSegment(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1);
}

/** The resource with this id, `kind/[gvc/]name`; `gvc` applies to ids without a GVC. Undefined if it is not an id. */
export function refNamed(id: string, gvc?: string): Ref | undefined {
  const [kindName = '', first = '', second, ...rest] = id.split('/');
  const kind = kindNamed(kindName);
  const name = second ?? first;
  if (kind === undefined || first === '' || name === '' || rest.length > 0) return undefined;
  if (!isGvcScoped(kind)) return second === undefined ? { kind, name } : undefined;
  const of = second === undefined ? gvc : first;
  return of === undefined ? undefined : { kind, gvc: of, name };
}
