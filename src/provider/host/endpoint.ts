import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where to listen, before anybody does. */
export interface Endpoint {
  readonly network: 'unix' | 'tcp';
  /** As gRPC names it. */
  readonly target: string;
  /** As Terraform connects to it, when the port is known. */
  readonly address: (port: number) => string;
  /** Removes what was made for it. */
  readonly remove: () => Promise<void>;
}

/** The longest path of a socket that every system takes, in bytes. */
const longestPath = 100;

/**
 * A socket in a new folder that only this user may enter; a port of the loopback interface on Windows, and where the
 * path would be too long for a socket.
 */
export async function makeEndpoint(parent = tmpdir(), platform: string = process.platform): Promise<Endpoint> {
  const name = 'gantry-provider-';
  const length = Buffer.byteLength(join(parent, `${name}XXXXXX`, 'socket'));
  if (platform === 'win32' || length > longestPath) return tcp;
  const folder = await mkdtemp(join(parent, name)); // mode 0700
  const path = join(folder, 'socket');
  return {
    network: 'unix',
    target: `unix:${path}`,
    address: () => path,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const tcp: Endpoint = {
  network: 'tcp',
  target: '127.0.0.1:0',
  address: (port) => `127.0.0.1:${port}`,
  remove: () => Promise.resolve(),
};
