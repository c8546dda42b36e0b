import { createPrivateKey, type KeyObject } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { present } from '../base/json/present.ts';
import { systemReason } from '../project/files/fileRefusal.ts';
import { readBytes } from '../project/files/readBytes.ts';
import { fileSizes } from '../project/files/sizes.ts';
import type { Session } from '../project/session/session.ts';
import {
  ed25519,
  ed25519KeyOf,
  type KeyErrorCode,
  keyError,
  keyLength,
  makeKey,
  type PublicKey,
  publicKeyOf,
  publicKeyOfBlob,
  SshReader,
} from './publicKey.ts';

export interface SigningKey extends Pick<PublicKey, 'fingerprint'> {
  readonly privateKey: KeyObject;
}

type KeySession = Pick<Session, 'cwd' | 'environment' | 'tell'>;
type Refuse = (code: KeyErrorCode, why: string, hint: string) => Error;

/**
 * The private key in a file, an Ed25519 key in PKCS #8 (PEM, also with the passphrase in `GANTRY_SIGN_PASSPHRASE`) or
 * in OpenSSH's format. Warns if other users may read the file.
 *
 * Errors: `saved.key-file`, `saved.key-format`, `saved.key-type`, `saved.key-passphrase`.
 */
export async function readSigningKey(file: string, { cwd, environment, tell }: KeySession): Promise<SigningKey> {
  const path = resolve(cwd, file);
  const refuse: Refuse = (code, why, hint) => keyError({ code, file, why, hint });
  const bytes = await readBytes(path, { most: fileSizes.settings, pipes: true }).catch((error: unknown) => {
    throw refuse('saved.key-file', systemReason(error), 'Give --sign the file of a private key.');
  });
  const privateKey = parsePrivateKey(
    bytes.toString('utf8'),
    environment['GANTRY_SIGN_PASSPHRASE'] || undefined,
    refuse,
  );
  const own = ed25519KeyOf(privateKey);
  if (own === undefined) throw otherType(privateKey.asymmetricKeyType ?? 'unknown', refuse);
  if (await isOpenToOthers(path)) {
    await tell({ type: 'note', text: `note: ${file}: others may read this private key; chmod 600 ${file}` });
  }
  return { privateKey, fingerprint: own.fingerprint };
}

function parsePrivateKey(text: string, passphrase: string | undefined, refuse: Refuse): KeyObject {
  if (isOpensshKey(text)) return parseOpenssh(text, refuse);
  const label = /-----BEGIN ([A-Z ]+)-----/.exec(text)?.[1];
  if (label === undefined || !label.endsWith('PRIVATE KEY')) {
    const isPublic = label === 'PUBLIC KEY' || /^(ssh|ecdsa|sk)-\S+ /.test(text.trimStart());
    const why = isPublic ? 'it is a public key; signing takes the private one' : 'it is not a private key';
    throw refuse('saved.key-format', why, makeKey);
  }
  if (label === 'ENCRYPTED PRIVATE KEY' && passphrase === undefined) {
    throw refuse('saved.key-passphrase', 'the key is encrypted', 'Set GANTRY_SIGN_PASSPHRASE to its passphrase.');
  }
  try {
    return createPrivateKey({ key: text, ...present({ passphrase }) });
  } catch {
    if (label !== 'ENCRYPTED PRIVATE KEY') throw refuse('saved.key-format', 'it is not a whole private key', makeKey);
    throw refuse(
      'saved.key-passphrase',
      'the passphrase is wrong',
      'Set GANTRY_SIGN_PASSPHRASE to the one of this key.',
    );
  }
}

function parseOpenssh(text: string, refuse: Refuse): KeyObject {
  const read = readOpensshKey(text);
  switch (read.is) {
    case 'key':
      return read.key;
    case 'other-type':
      throw otherType(read.type, refuse);
    case 'damaged':
      throw refuse('saved.key-format', `it is not a whole private key: ${read.why}`, makeKey);
    case 'encrypted':
      throw refuse(
        'saved.key-passphrase',
        'the key is encrypted in the OpenSSH format, which is not supported',
        'Remove the passphrase from a copy (ssh-keygen -p -N "" -f COPY), or use an encrypted key of openssl ' +
          '(openssl genpkey -algorithm ed25519 -aes256 -out KEYFILE) with GANTRY_SIGN_PASSPHRASE.',
      );
  }
}

function otherType(type: string, refuse: Refuse): Error {
  return refuse('saved.key-type', `it is a key of the type ${type}; plans are signed with Ed25519`, makeKey);
}

/** Windows has no such modes. */
async function isOpenToOthers(path: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
  const found = await stat(path);
  return found.isFile() && (found.mode & 0o077) !== 0;
}

/** The content of a private key file of OpenSSH. */
type OpensshKey =
  | { readonly is: 'key'; readonly key: KeyObject }
  | { readonly is: 'encrypted' }
  | { readonly is: 'other-type'; readonly type: string }
  | { readonly is: 'damaged'; readonly why: string };

const armour = /^-----BEGIN OPENSSH PRIVATE KEY-----\s([A-Za-z0-9+/=\s]+)-----END OPENSSH PRIVATE KEY-----\s*$/;
const magic = 'openssh-key-v1\0';
/** `PrivateKeyInfo` of an Ed25519 key, without its seed (RFC 8410, section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

function isOpensshKey(text: string): boolean {
  return text.trimStart().startsWith('-----BEGIN OPENSSH PRIVATE KEY-----');
}

/** Reads the format openssh-key-v1 (`PROTOCOL.key` of OpenSSH) with one unencrypted Ed25519 key. */
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
