import { createPrivateKey, type KeyObject } from 'node:crypto';
import { ed25519, ed25519KeyOf, keyLength, publicKeyOf, publicKeyOfBlob } from './publicKey.ts';
import { SshReader } from './sshWire.ts';

/** What a private key file of OpenSSH holds. */
export type OpensshKey =
  | { readonly is: 'key'; readonly key: KeyObject }
  | { readonly is: 'encrypted' }
  | { readonly is: 'other-type'; readonly type: string }
  | { readonly is: 'damaged'; readonly why: string };

const armour = /^-----BEGIN OPENSSH PRIVATE KEY-----\s([A-Za-z0-9+/=\s]+)-----END OPENSSH PRIVATE KEY-----\s*$/;
const magic = 'openssh-key-v1\0';
/** `PrivateKeyInfo` of an Ed25519 key, without its seed (RFC 8410, section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

export function isOpensshKey(text: string): boolean {
  return text.trimStart().startsWith('-----BEGIN OPENSSH PRIVATE KEY-----');
}

/** Reads the format openssh-key-v1 (`PROTOCOL.key` of OpenSSH) with one key of Ed25519 that is not encrypted. */
export function readOpensshKey(text: string): OpensshKey {
  const [, body] = armour.exec(text.trim()) ?? [];
  if (body === undefined) return { is: 'damaged', why: 'its first or last line is missing' };
  try {
    return readKey(new SshReader(Buffer.from(body, 'base64')));
  } catch (error) {
    if (error instanceof RangeError) return { is: 'damaged', why: error.message };
    throw error;
  }
}

function readKey(reader: SshReader): OpensshKey {
  if (reader.take(magic.length).toString('latin1') !== magic) throw new RangeError('it is not of openssh-key-v1');
  const cipher = reader.text();
  reader.string(); // the key derivation
  reader.string(); // its options
  if (reader.uint32() !== 1) throw new RangeError('it holds several keys');
  const blob = reader.string();
  const type = new SshReader(blob).text();
  if (type !== ed25519) return { is: 'other-type', type };
  if (cipher !== 'none') return { is: 'encrypted' };
  const key = readPrivate(new SshReader(reader.string()), blob);
  if (reader.rest.length > 0) throw new RangeError('unexpected data after the key');
  return { is: 'key', key };
}

function readPrivate(reader: SshReader, blob: Buffer): KeyObject {
  const check = reader.uint32();
  if (reader.uint32() !== check || reader.text() !== ed25519) throw new RangeError('its parts do not match');
  const raw = reader.string();
  const secret = reader.string();
  const seed = secret.subarray(0, keyLength);
  if (secret.length !== 2 * keyLength) throw new RangeError('its secret part has another length');
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
  const fingerprints = new Set(
    [publicKeyOfBlob(blob), publicKeyOf(raw), ed25519KeyOf(key)].map((each) => each?.fingerprint),
  );
  if (fingerprints.size > 1 || !secret.subarray(keyLength).equals(raw)) throw new RangeError('its parts do not match');
  return key;
}
