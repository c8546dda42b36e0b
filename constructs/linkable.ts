import { type KnownKind, kindNamed } from '../src/schema/record/kinds.ts';
import { expandLink, lastSegment, parseLink, type Ref } from '../src/schema/record/ref.ts';

/**
 * The members that a reference to a resource needs. They exist on every construct that makes a manifest, on the result
 * of `fromName` and `fromLink`, and on your own objects if you add them.
 */
export interface Linkable<Of extends KnownKind = KnownKind> {
  readonly kind: Of;
  /** `//secret/NAME`, `//gvc/GVC/workload/NAME`. */
  readonly link: string;
}

/** The target of a link; undefined if the text is not a link. */
export function refOfLink(link: string): Ref | undefined {
  return parseLink(expandLink(link, { org: 'org' }), { org: 'org' })?.ref;
}

/** Whether it is a reference to a resource, from our constructs or from other code. */
export function isLinkable(value: object): value is Linkable {
  return 'kind' in value && 'link' in value && kindNamed(value.kind) !== undefined && typeof value.link === 'string';
}

/** The URI in a volume or a variable. */
export function uriOf({ kind, link }: Linkable): string {
  return `scheme://${kind}/${lastSegment(link)}`;
}

/** The link to a location, which may be given by its name. */
export function locationLink(location: string | Linkable<'location'>): string {
  if (typeof location !== 'string') return location.link;
  return location.startsWith('/') ? location : `//location/${location}`;
}
