import { lastSegment } from '../../src/schema/record/ref.ts';

/** The location of the page: a record or a list by its link, and the selected view of it. */
export interface Place {
  /** `/org/acme/gvc/shop/workload/web`, or of a list, `/org/acme/secret`; empty at the start. */
  readonly link: string;
  readonly org: string;
  readonly what: 'org' | 'list' | 'record';
  /** The kind of the record or list; empty if there is none. */
  readonly kind: string;
  readonly name: string;
  readonly view: string;
}

/** Parses the part of an address after `#`. Links may come from anywhere, so an invalid one leads nowhere. */
export function placeOf(hash: string): Place {
  const [path = '', view = ''] = hash.replace(/^#/, '').split('?');
  const segments = path.split('/').slice(1).map(decoded);
  const [root, org = ''] = segments;
  const below = segments.slice(2);
  if (root !== 'org' || segments.some((segment) => segment === '')) return nowhere;
  const link = `/${segments.map(encodeURIComponent).join('/')}`;
  if (below.length === 0) return { link, org, what: 'org', kind: 'org', name: org, view };
  const isList = below.length % 2 === 1;
  const kind = below.at(isList ? -1 : -2) ?? '';
  const name = isList ? '' : (below.at(-1) ?? '');
  return { link, org, what: isList ? 'list' : 'record', kind, name, view };
}

const nowhere: Place = { link: '', org: '', what: 'org', kind: '', name: '', view: '' };

export function addressOf(link: string, view = ''): string {
  return `#${link}${view === '' ? '' : `?${view}`}`;
}

/** The GVC in a link; empty if there is none. */
export function gvcOf(link: string): string {
  return /^\/org\/[^/]+\/gvc\/([^/]+)\/./.exec(link)?.[1] ?? '';
}

/** The id in a link, such as `workload/shop/web`, as in reports. */
export function idOf(link: string): string {
  const [, , , first = '', name = '', kind, child] = link.split('/');
  return kind === undefined ? `${first}/${name}` : `${kind}/${name}/${child ?? lastSegment(link)}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
