import { createPrivateKey, type KeyObject } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { systemReason } from '../project/files/fileRefusal.ts';
import { readBytes } from '../project/files/readBytes.ts';
import { fileSizes } from '../project/files/sizes.ts';
import type { Session } from '../project/session/session.ts';
import { type KeyErrorCode, keyError, makeKey } from './keyError.ts';
import { isOpensshKey, readOpensshKey } from './opensshKey.ts';
import { ed25519KeyOf, type PublicKey } from './publicKey.ts';

/** A key that plans are signed with. */
export interface SigningKey extends Pick<PublicKey, 'fingerprint'> {
  readonly privateKey: KeyObject;
}

type KeySession = Pick<Session, 'cwd' | 'environment' | 'tell'>;
type Refuse = (code: KeyErrorCode, why: string, hint: string) => Error;

/**
 * The private key in a file, an Ed25519 key in PKCS #8 (PEM, also with the passphrase in `GANTRY_SIGN_PASSPHRASE`) or as
 * OpenSSH writes it. Tells where others may read the file.
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
    return createPrivateKey({ key: text, ...(passphrase === undefined ? {} : { passphrase }) });
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
