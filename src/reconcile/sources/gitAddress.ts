import querystring from 'node:querystring';
import { leadsToLoopback } from '../../base/text/hostName.ts';

/** The address of a repository. */
export interface GitAddress {
  /** In git's form. Of https and http without the user: the address is shown to others, and the user may be a token. */
  readonly url: string;
  readonly protocol: 'https' | 'http' | 'ssh' | 'file';
  /** `github.com/acme/infra`, without protocol, user, port and `.git`: forges name a repository in several ways. */
  readonly repository: string;
  /** The user of an https or http address, which a credential helper may need. */
  readonly user?: string;
}

const dots = /(?:^|[/\\:])\.{1,2}(?:[/\\]|$)|\\|%(?:2e|2f|5c)/i;
/** Not `user:password@host`: the user would be the host, and the password a part of the path, which others see. */
const scp = /^(?![^@/]*:[^/]*@)(?:[\w.-]+@)?([A-Za-z0-9][A-Za-z0-9.-]*):(?!\/\/)(.+)$/;

/** `why`: the expected form; it continues "must be". A path is a folder on this machine, if permitted. */
export function parseGitAddress(text: string): GitAddress | { readonly why: string } {
  const expected = 'an address such as https://github.com/acme/infra or git@github.com:acme/infra';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they end a line of git's protocol
  if (/[\u0000-\u0020\u007f]/.test(text) || text.startsWith('-') || text.includes('::')) return { why: expected };
  // Git, or the host, would resolve them: another repository than the one with the permitted prefix.
  if (dots.test(text)) return { why: 'without "." and ".." as parts of its path' };
  if (text.startsWith('/')) return { url: text, protocol: 'file', repository: repositoryOf('', text) };
  const [, host = '', path = ''] = text.includes('://') ? [] : (scp.exec(text) ?? []);
  if (host !== '') return { url: text, protocol: 'ssh', repository: repositoryOf(host, path) };
  if (!URL.canParse(text)) return { why: expected };
  const address = new URL(text);
  const { protocol, hostname, pathname, username, password, search, hash } = address;
  if (password !== '')
    return {
      why: 'without a password, which others would see: give a token, a helper or a key-file under repositories',
    };
  if (search !== '' || hash !== '' || hostname === '') return { why: expected };
  const repository = repositoryOf(hostname, pathname);
  if (username !== '' && protocol !== 'ssh:') {
    address.username = '';
    const withoutUser = parseGitAddress(address.href);
    return 'why' in withoutUser ? withoutUser : { ...withoutUser, user: querystring.unescape(username) };
  }
  switch (protocol) {
    case 'https:':
      return { url: text, protocol: 'https', repository };
    case 'ssh:':
      return { url: text, protocol: 'ssh', repository };
    case 'http:':
      if (leadsToLoopback(address)) return { url: text, protocol: 'http', repository };
      return { why: 'of https or ssh: code that is fetched without encryption can be changed on its way' };
    default:
      return { why: 'of https or ssh' };
  }
}

function repositoryOf(host: string, path: string): string {
  const inside = path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  return host === '' ? `/${inside}` : `${host.toLowerCase()}/${inside.toLowerCase()}`;
}

/** Whether a repository is below a prefix such as `github.com/acme`. */
export function isBelow(repository: string, prefix: string): boolean {
  const written = prefix.replace(/\/+$/, '');
  const start = written.startsWith('/') ? written : written.toLowerCase(); // local, or on a forge
  return repository === start || repository.startsWith(`${start}/`);
}

/**
 * Whether it is a valid branch or tag by the rules of `git check-ref-format`. It may contain characters that are
 * special in a shell.
 */
export function isRefName(name: string): boolean {
  return (
    name.length <= 250 &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: git refuses them
    !/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|^[/.]|[/.]$|^@$|^$/.test(name)
  );
}
