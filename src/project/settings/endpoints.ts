import { leadsToLoopback } from '../../base/text/hostName.ts';

/** The addresses of one platform in a setting, without passwords, each once, sorted. */
export function addressesOf(endpoint: string | undefined): readonly string[] {
  const addresses = (endpoint ?? '').split(',').map((each) => each.trim());
  return [...new Set(addresses.filter((each) => each !== '').map(withoutPassword))].sort();
}

function withoutPassword(endpoint: string): string {
  if (!URL.canParse(endpoint)) return endpoint;
  const { origin, pathname } = new URL(endpoint);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** One address in common is enough, and so is nothing to compare. */
export function sameEndpoint(one: string | undefined, other: string | undefined): boolean {
  const [first, second] = [addressesOf(one), addressesOf(other)];
  return first.length === 0 || second.length === 0 || first.some((each) => second.includes(each));
}

/** Those that are not on this machine. */
export function remoteAddresses(endpoint: string): readonly string[] {
  return addressesOf(endpoint).filter((address) => !URL.canParse(address) || !leadsToLoopback(new URL(address)));
}

/** Those that get a token over a network without encryption. */
export function plainAddresses(endpoint: string): readonly string[] {
  return remoteAddresses(endpoint).filter((address) => address.startsWith('http:'));
}
