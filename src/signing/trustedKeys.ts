import { createPublicKey } from 'node:crypto';
import { resolve } from 'node:path';
import { systemReason } from '../project/files/fileRefusal.ts';
import { readBytes } from '../project/files/readBytes.ts';
import { fileSizes } from '../project/files/sizes.ts';
import { ed25519, ed25519KeyOf, keyError, type PublicKey, publicKeyOfBlob } from './publicKey.ts';

export interface TrustedKey extends PublicKey {
  /** The comment after the key, or the principal before it; undefined if there is neither. */
  readonly name: string | undefined;
}

const formats =
  'Give one public key a line, as in KEYFILE.pub: "ssh-ed25519 AAAA… name"; "name ssh-ed25519 AAAA…"; or PEM.';
const pem = /-----BEGIN PUBLIC KEY-----[^-]*-----END PUBLIC KEY-----/g;
/** SSH's key types. */
const keyType = /^(?:sk-)?(?:ssh|ecdsa)-[a-z0-9@.-]+$/;

/**
 * The public keys in a file: lines in the format of `authorized_keys` (`ssh-ed25519 AAAA… name`) or `allowed_signers`
 * (`name ssh-ed25519 AAAA…`), or PEM; `#` begins a comment. Each key once.
 *
 * Errors: `saved.key-file`, `saved.key-format`, `saved.key-type`.
 */
export async function readTrustedKeys(file: string, cwd: string): Promise<readonly TrustedKey[]> {
  const path = resolve(cwd, file);
  const bytes = await readBytes(path, { most: fileSizes.settings, pipes: true }).catch((error: unknown) => {
    throw keyError({ code: 'saved.key-file', file, why: systemReason(error), hint: formats });
  });
  const keys = parseTrustedKeys(bytes.toString('utf8'), file);
  if (keys.length === 0)
    throw keyError({ code: 'saved.key-format', file, why: 'there is no key in it', hint: formats });
  return keys;
}

export function parseTrustedKeys(text: string, file: string): readonly TrustedKey[] {
  // Only the line ends of a PEM block are kept, so that the following lines keep their numbers.
  const found = [...text.matchAll(pem)].map(([block]) => pemKey(block, file));
  const lines = text.replace(pem, (block) => block.replace(/[^\n]/g, '')).split('\n');
  const listed = lines.flatMap((line, index) => lineKeys(line.trim(), file, index + 1));
  const byFingerprint = new Map([...listed, ...found].toReversed().map((key) => [key.fingerprint, key]));
  return [...byFingerprint.values()].toReversed();
}

function pemKey(block: string, file: string): TrustedKey {
  const key = ed25519KeyOf(asKey(block, file));
  if (key !== undefined) return { ...key, name: undefined };
  throw keyError({ code: 'saved.key-type', file, why: 'a key in PEM is not of Ed25519', hint: formats });
}

function asKey(block: string, file: string) {
  try {
    return createPublicKey(block);
  } catch {
    throw keyError({ code: 'saved.key-format', file, why: 'a public key in PEM cannot be read', hint: formats });
  }
}

function lineKeys(line: string, file: string, number: number): readonly TrustedKey[] {
  if (line === '' || line.startsWith('#')) return [];
  const refuse = (why: string, code: 'saved.key-format' | 'saved.key-type' = 'saved.key-format') =>
    keyError({ code, file, line: number, why, hint: formats });
  if (line.includes('PRIVATE KEY')) throw refuse('this is a private key; only its public half belongs here');
  const words = line.split(/\s+/);
  const at = words.findIndex((word) => keyType.test(word));
  const [before, type, blob] = [words.slice(0, Math.max(0, at)), words[at], words[at + 1]];
  if (type === undefined || blob === undefined) throw refuse('this is not a public key');
  if (type !== ed25519)
    throw refuse(`this is a key of the type ${type}; plans are signed with Ed25519`, 'saved.key-type');
  // Options such as valid-before would have to be checked.
  if (before.length > 1 || before.some((word) => word.includes('=') || word === 'cert-authority')) {
    throw refuse('options before a key are not supported');
  }
  const name = before[0] ?? (words.slice(at + 2).join(' ') || undefined);
  try {
    return [{ ...publicKeyOfBlob(Buffer.from(blob, 'base64')), name }];
  } catch {
    throw refuse('this key is not whole');
  }
}
