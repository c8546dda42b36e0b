import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { ToolError } from '../base/toolError.ts';

export const ed25519 = 'ssh-ed25519';
/** The length of an Ed25519 public key, and of a private key's seed (RFC 8032). */
export const keyLength = 32;

/** `SubjectPublicKeyInfo` of an Ed25519 key, without its 32 bytes (RFC 8410, section 4). */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** A key that signatures are verified with. */
export interface PublicKey {
  readonly key: KeyObject;
  /** `SHA256:…`, as `ssh-keygen -l` prints it. Equal keys have equal fingerprints in every format. */
  readonly fingerprint: string;
}

/** `raw`: the 32 bytes of an Ed25519 public key. */
export function publicKeyOf(raw: Buffer): PublicKey {
  const blob = Buffer.concat([sshString(Buffer.from(ed25519)), sshString(raw)]);
  const hash = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '');
  const key = createPublicKey({ key: Buffer.concat([spkiPrefix, raw]), format: 'der', type: 'spki' });
  return { key, fingerprint: `SHA256:${hash}` };
}

/** The same for a key of `node:crypto`; undefined if it is of another type. */
export function ed25519KeyOf(key: KeyObject): PublicKey | undefined {
  if (key.asymmetricKeyType !== 'ed25519') return undefined;
  const spki = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'der', type: 'spki' });
  return publicKeyOf(spki.subarray(spkiPrefix.length));
}

/** The key in a public key blob of SSH (RFC 8709, section 4). Throws if it is not an Ed25519 key. */
export function publicKeyOfBlob(blob: Buffer): PublicKey {
  const reader = new SshReader(blob);
  const type = reader.text();
  const raw = reader.string();
  if (type !== ed25519 || raw.length !== keyLength || reader.rest.length > 0) {
    throw new RangeError('it is not the key that it says it is');
  }
  return publicKeyOf(raw);
}

/** The faults of a key, or a list of keys. */
export type KeyErrorCode = 'saved.key-file' | 'saved.key-format' | 'saved.key-type' | 'saved.key-passphrase';

interface KeyErrorFields {
  readonly code: KeyErrorCode;
  readonly file: string;
  /** Starts at 1. */
  readonly line?: number;
  readonly why: string;
  readonly hint: string;
}

/** Contains nothing of the file's content. */
export function keyError({ code, file, line, why, hint }: KeyErrorFields): ToolError {
  const place = line === undefined ? { file } : { file, line };
  return new ToolError({ code, message: `${file}${line === undefined ? '' : `:${line}`}: ${why}`, hint, place });
}

export const makeKey = 'Make one with: ssh-keygen -t ed25519 -N "" -f KEYFILE';

/** Reads SSH's binary format for keys (RFC 4251, section 5): lengths are 32 bits, big endian. */
export class SshReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get rest(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  /** Throws a RangeError if fewer bytes remain. */
  take(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) throw new RangeError('it ends too early');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  uint32(): number {
    return this.take(4).readUInt32BE();
  }

  /** A `string`: its length, then its bytes. */
  string(): Buffer {
    return this.take(this.uint32());
  }

  text(): string {
    return this.string().toString('utf8');
  }
}

/** A `string` of SSH. */
export function sshString(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
