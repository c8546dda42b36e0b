import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemReason } from '../../project/files/fileRefusal.ts';

/** The address on which the provider will listen. */
export interface Endpoint {
  readonly network: 'unix' | 'tcp';
  /** The address in gRPC's form. */
  readonly target: string;
  /** The address in Terraform's form, once the port is known. */
  readonly address: (port: number) => string;
  /** Removes the files of the endpoint. */
  readonly remove: () => Promise<void>;
}

/** The longest socket path that every system accepts, in bytes. */
const longestPath = 100;
const prefix = 'gantry-provider-';
const socketName = 'socket';

/**
 * A socket in a new folder that only this user can access; a port of the loopback interface on Windows, and if the path
 * is too long for a socket.
 */
export async function makeEndpoint(parent = tmpdir(), platform: string = process.platform): Promise<Endpoint> {
  const length = Buffer.byteLength(join(parent, `${prefix}XXXXXX`, socketName));
  if (platform === 'win32' || length > longestPath) return tcp;
  const folder = await mkdtemp(join(parent, prefix)).catch((error: unknown) => {
    // mode 0700
    const fix = 'Set TMPDIR to a folder in which files can be made.';
    throw new Error(`no socket can be made in ${parent}: ${systemReason(error)}. ${fix}`, { cause: error });
  });
  const path = join(folder, socketName);
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

/** The maximum time from the creation of a provider's folder to that of its socket. */
const longestStartMs = 60_000;
/** Limit per cleanup; the rest is removed by the next one. */
const mostRemoved = 100;

/** Removes the sockets of killed providers of this user, on which nothing listens. */
export async function removeAbandoned(parent = tmpdir()): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(prefix)).slice(0, mostRemoved);
  for (const name of names) {
    const folder = join(parent, name);
    if (await isAbandoned(folder)) await rm(folder, { recursive: true, force: true });
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  if (found === undefined || !found.isDirectory() || found.uid !== process.getuid?.()) return false;
  const reason = await whyUnreachable(join(folder, socketName));
  // A new folder is about to get its socket; an old one without a socket is abandoned.
  return reason === 'ECONNREFUSED' || (reason === 'ENOENT' && Date.now() - found.mtimeMs > longestStartMs);
}

/** The error code; undefined if a process listens there. Process ids are useless across containers. */
function whyUnreachable(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once('error', (error) => resolve('code' in error ? String(error.code) : undefined));
  });
}
