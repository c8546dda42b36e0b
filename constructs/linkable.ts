import { type KnownKind, kindNamed } from '../src/schema/record/kinds.ts';
import { expandLink, lastSegment, parseLink, type Ref } from '../src/schema/record/ref.ts';

/**
 * The members that a reference to a resource needs. Every construct that makes a manifest has them, so has the result
 * of `fromName` and `fromLink`, and whatever else you give them to.
 */
export interface Linkable<Of extends KnownKind = KnownKind> {
  readonly kind: Of;
  /** `//secret/NAME`, `//gvc/GVC/workload/NAME`. */
  readonly link: string;
}

/** The resource that a link leads to; undefined where it is none. */
export function refOfLink(link: string): Ref | undefined {
  return parseLink(expandLink(link, { org: 'org' }), { org: 'org' })?.ref;
}

/** A reference to a resource, of our constructs or of somebody else's. */
export function isLinkable(value: object): value is Linkable {
  return 'kind' in value && 'link' in value && kindNamed(value.kind) !== undefined && typeof value.link === 'string';
}

/** As a volume or a variable names it. */
export function uriOf({ kind, link }: Linkable): string {
  return `scheme://${kind}/${lastSegment(link)}`;
}

/** The link to a location, which may be given by its name. */
export function locationLink(location: string | Linkable<'location'>): string {
  if (typeof location !== 'string') return location.link;
  return location.startsWith('/') ? location : `//location/${location}`;
}
