import { leadsToLoopback } from '../../base/text/hostName.ts';

/** The addresses of one platform in a setting: without passwords or duplicates, sorted. */
export function addressesOf(endpoint: string | undefined): readonly string[] {
  const addresses = (endpoint ?? '').split(',').map((each) => each.trim());
  return [...new Set(addresses.filter((each) => each !== '').map(withoutPassword))].sort();
}

/** The setting as it may be shown: a user and a password in it are never sent. It need not be a valid URL. */
export function withoutUser(endpoint: string): string {
  return endpoint.replace(/\/\/[^/\\?#]*@/g, '//');
}

function withoutPassword(endpoint: string): string {
  if (!URL.canParse(endpoint)) return withoutUser(endpoint);
  const { origin, pathname } = new URL(endpoint);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** True with one common address, or if one of them is empty. */
export function sameEndpoint(one: string | undefined, other: string | undefined): boolean {
  const [first, second] = [addressesOf(one), addressesOf(other)];
  return first.length === 0 || second.length === 0 || first.some((each) => second.includes(each));
}

/** The addresses that are not on this machine. */
export function remoteAddresses(endpoint: string): readonly string[] {
  return addressesOf(endpoint).filter((address) => !URL.canParse(address) || !leadsToLoopback(new URL(address)));
}

/** The addresses that would receive a token unencrypted over a network. */
export function unencryptedAddresses(endpoint: string): readonly string[] {
  return remoteAddresses(endpoint).filter((address) => address.startsWith('http:'));
}
