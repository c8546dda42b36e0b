import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What `ssh-keygen -t ed25519 -f NAME` leaves behind, in PEM. */
export interface KeyPair {
  /** The file of the private key. */
  readonly key: string;
  /** That of the public one: `NAME.pub`. */
  readonly pub: string;
}

export function writeKeyPair(folder: string, name: string): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = join(folder, name);
  const pub = `${key}.pub`;
  writeFileSync(key, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  writeFileSync(pub, publicKey.export({ format: 'pem', type: 'spki' }));
  return { key, pub };
}
