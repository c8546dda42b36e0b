import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll } from 'vitest';

/** The files of `ssh-keygen -t ed25519 -f NAME`, in PEM. */
export interface KeyPair {
  /** The file of the private key. */
  readonly key: string;
  /** The file of the public key: `NAME.pub`. */
  readonly pub: string;
}

/** One pair for all tests of a file, in its `temporaryFolder`. */
export function useKeyPair(folder: string, name: string): KeyPair {
  beforeAll(() => void writeKeyPair(folder, name));
  return filesOf(folder, name);
}

export function writeKeyPair(folder: string, name: string): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { key, pub } = filesOf(folder, name);
  writeFileSync(key, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  writeFileSync(pub, publicKey.export({ format: 'pem', type: 'spki' }));
  return { key, pub };
}

function filesOf(folder: string, name: string): KeyPair {
  const key = join(folder, name);
  return { key, pub: `${key}.pub` };
}
