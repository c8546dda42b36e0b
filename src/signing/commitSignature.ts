import { createHash, verify } from 'node:crypto';
import { ed25519, publicKeyOfBlob, SshReader, sshString } from './publicKey.ts';
import type { TrustedKey } from './trustedKeys.ts';

/** Who signed a commit, or why its signature does not count. */
export type CommitVerdict =
  | { readonly is: 'signed'; readonly by: TrustedKey }
  | { readonly is: 'refused'; readonly why: string };

/**
 * `raw`: the output of `git cat-file commit`. Only signatures of SSH with Ed25519 count, as for plans. They are read
 * here, because `git verify-commit` needs ssh-keygen and a file in another format.
 */
export function judgeCommit(raw: Buffer, keys: readonly TrustedKey[]): CommitVerdict {
  const { payload, signatures } = splitCommit(raw);
  const [armoured, second] = signatures;
  if (armoured === undefined) return refused('it is not signed');
  if (second !== undefined) return refused('it has more than one signature');
  const body = armour.exec(armoured)?.[1];
  if (body === undefined) {
    const isPgp = armoured.includes('BEGIN PGP');
    return refused(isPgp ? 'it is signed with OpenPGP; keys of SSH count' : 'its signature is not of SSH');
  }
  try {
    return judgeSignature(new SshReader(Buffer.from(body, 'base64')), payload, keys);
  } catch (error) {
    if (error instanceof RangeError) return refused('its signature is damaged, or of another type than Ed25519');
    throw error;
  }
}

const armour = /^-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=\n]+)-----END SSH SIGNATURE-----\n?$/;
const magic = 'SSHSIG';
/** The namespace of git's signatures, so that other signatures do not count for a commit. */
const namespace = 'git';

/** The format of `PROTOCOL.sshsig` of OpenSSH. Throws a RangeError if it is damaged. */
function judgeSignature(reader: SshReader, payload: Buffer, keys: readonly TrustedKey[]): CommitVerdict {
  if (reader.take(magic.length).toString('latin1') !== magic || reader.uint32() !== 1) throw new RangeError();
  const { key, fingerprint } = publicKeyOfBlob(reader.string());
  const [space, reserved, hash] = [reader.string(), reader.string(), reader.text()];
  const signature = new SshReader(reader.string());
  if (reader.rest.length > 0 || (hash !== 'sha256' && hash !== 'sha512')) throw new RangeError();
  if (space.toString('latin1') !== namespace) return refused('its signature is not one of a commit');
  if (signature.text() !== ed25519) throw new RangeError();
  const signed = Buffer.concat([
    Buffer.from(magic, 'latin1'),
    ...[space, reserved, Buffer.from(hash), createHash(hash).update(payload).digest()].map(sshString),
  ]);
  if (!verify(null, signed, key, signature.string())) return refused('its signature does not match it');
  const by = keys.find((each) => each.fingerprint === fingerprint);
  return by === undefined ? refused(`it is signed by an unknown key, ${fingerprint}`) : { is: 'signed', by };
}

interface SplitCommit {
  /** The signed text: the commit without the headers of signatures. */
  readonly payload: Buffer;
  readonly signatures: readonly string[];
}

/** A header continues in the lines that begin with a space. */
function splitCommit(raw: Buffer): SplitCommit {
  const text = raw.toString('latin1'); // byte for byte
  const end = text.indexOf('\n\n');
  const headers = (end === -1 ? text : text.slice(0, end + 1)).match(/[^\n]*\n(?: [^\n]*\n)*/g) ?? [];
  const isSignature = (header: string) => /^gpgsig(?:-sha256)? /.test(header);
  const rest = headers.filter((header) => !isSignature(header)).join('');
  return {
    payload: Buffer.from(`${rest}${end === -1 ? '' : text.slice(end + 1)}`, 'latin1'),
    signatures: headers
      .filter(isSignature)
      .map((header) => header.slice(header.indexOf(' ') + 1).replaceAll('\n ', '\n')),
  };
}

function refused(why: string): CommitVerdict {
  return { is: 'refused', why };
}
