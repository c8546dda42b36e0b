import { badReply } from '../http/apiError.ts';

/**
 * The path below the endpoint to which a `next` link leads. It is a path without host; a full address must be one of
 * the endpoints, or the token would go elsewhere, and stay `within` what is listed, or records of others would be taken
 * for ours. `from`: the path of the page that a relative address begins at.
 */
export function nextPath(href: string, endpoints: readonly string[], within: string, from?: string): string {
  const path = localPath(from === undefined ? href : absolute(href, from), endpoints);
  if (path === undefined) throw badReply(`a list whose next page is on another host: ${originOf(href)}`);
  if (!path.startsWith(within) || /[\s\\\p{C}]|\/\.{1,2}(?:\/|$)/u.test(path)) {
    throw badReply(`a list whose next page is not below ${within}`);
  }
  return path;
}

/** A relative address as a path: `?page=2`, `workload?page=2` and `./workload?page=2`. */
function absolute(href: string, from: string): string {
  if (href === '' || /^(?:\/|[a-z][\w+.-]*:)/i.test(href)) return href;
  const [path = ''] = from.split('?');
  return href.startsWith('?') ? path + href : path.slice(0, path.lastIndexOf('/') + 1) + href.replace(/^\.\//, '');
}

function localPath(href: string, endpoints: readonly string[]): string | undefined {
  if (href.startsWith('/') && !href.startsWith('//')) return href;
  const url = URL.canParse(href) ? new URL(href) : undefined;
  const ours = endpoints
    .flatMap((each) => (URL.canParse(each) ? [new URL(each)] : []))
    .find(({ origin }) => origin === url?.origin);
  if (url === undefined || ours === undefined) return undefined;
  const prefix = ours.pathname.replace(/\/+$/, '');
  const path = url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : url.pathname;
  return path + url.search;
}

/** Without the path: it may contain secrets. */
function originOf(href: string): string {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  return url?.origin ?? 'it is not an address';
}
