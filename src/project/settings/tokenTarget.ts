import { ToolError } from '../../base/toolError.ts';
import { settingsFileName } from '../files/projectFiles.ts';
import type { Environment, Surroundings } from '../session/session.ts';
import { addressesOf, remoteAddresses, unencryptedAddresses } from './endpoints.ts';
import { ProfileStore } from './profileStore.ts';

/** A user's token for an endpoint from a file of the project, which may be foreign. */
export interface TokenTarget {
  /** A description of the token's source. */
  readonly token: string;
  /** As written in `gantry.yaml`. */
  readonly endpoint: string;
}

/** The addresses that are neither on this machine nor known to this user. */
export async function newAddresses(endpoint: string, environment: Environment): Promise<readonly string[]> {
  const remote = remoteAddresses(endpoint);
  if (remote.length === 0) return [];
  const known = (await new ProfileStore(environment).endpoints()).flatMap(addressesOf);
  return remote.filter((address) => !known.includes(address));
}

/** Notifies once for each endpoint. Errors: `settings.token` if the token would be sent unencrypted over a network. */
export async function checkTokenTarget(
  { token, endpoint }: TokenTarget,
  { environment, tell }: Pick<Surroundings, 'environment' | 'tell'>,
): Promise<void> {
  const [unencrypted] = unencryptedAddresses(endpoint);
  if (unencrypted !== undefined) {
    throw new ToolError({
      code: 'settings.token',
      message: `${token} would go unencrypted to ${unencrypted}, which ${settingsFileName} names`,
      hint: `Use https in ${settingsFileName}; or, if you trust the network, name the platform yourself: --endpoint ${unencrypted}, or GANTRY_ENDPOINT.`,
      place: { file: settingsFileName },
    });
  }
  const addresses = await newAddresses(endpoint, environment);
  if (addresses.length === 0) return;
  const text = `note: ${token} goes to ${addresses.join(' and ')}, which ${settingsFileName} names, for the first time; to name the platform yourself, set GANTRY_ENDPOINT`;
  await tell({ type: 'note', text });
  await rememberAddresses(addresses, environment);
}

/** Remembers the addresses as known. */
export function rememberAddresses(addresses: readonly string[], environment: Environment): Promise<void> {
  return new ProfileStore(environment).addEndpoints(addresses);
}
