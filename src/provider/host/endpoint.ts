import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemReason } from '../../project/files/fileRefusal.ts';

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
const prefix = 'gantry-provider-';
const socketName = 'socket';

/**
 * A socket in a new folder that only this user may enter; a port of the loopback interface on Windows, and where the
 * path would be too long for a socket.
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

/** As long as a provider may take from its folder to its socket. */
const longestStartMs = 60_000;
/** Of one look: what is left comes next time. */
const mostRemoved = 100;

/** Removes what providers of this user have left that were killed: a socket on which nobody listens. */
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
  // Without a socket it is about to get one, unless that was long ago.
  return reason === 'ECONNREFUSED' || (reason === 'ENOENT' && Date.now() - found.mtimeMs > longestStartMs);
}

/** The code of the error; undefined: somebody listens there. Process ids would tell nothing between containers. */
function whyUnreachable(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once('error', (error) => resolve('code' in error ? String(error.code) : undefined));
  });
}
