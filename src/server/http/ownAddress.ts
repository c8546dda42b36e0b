import { isLoopback, readHost } from './hostName.ts';

export interface Reached {
  /** The header, as it was sent. */
  readonly host: string | undefined;
  /** The address of the server at the client's connection. */
  readonly localAddress: string | undefined;
}

/**
 * The address of this server for the links in its answers. A name that a client sends is repeated only if it is safe: a
 * loopback name, or the address of the connection itself. Otherwise the configured address, or none: links are relative
 * then.
 */
export function ownAddress({ host, localAddress }: Reached, publicUrl: string | undefined): string | undefined {
  const named = readHost(host);
  if (named === undefined) return publicUrl;
  const local = localAddress?.replace(/^::ffff:/, '').toLowerCase();
  return isLoopback(named.name) || named.name === local ? `http://${named.text}` : publicUrl;
}
