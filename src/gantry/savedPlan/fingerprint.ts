import { createHash, createHmac, hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { ToolError } from '../../base/toolError.ts';
import type { Digest, Fingerprints } from '../../change/savedPlan.ts';
import type { Surroundings } from '../../project/session/session.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Makes guessing slow: each guess of a secret costs 32 MiB and about 0.1 s, and so does each planned secret. */
const scryptCost = { n: 2 ** 15, r: 8, p: 1 } as const;
/** Limits for files from others: 256 MiB, and 32 times the work. */
const mostMemory = 2 ** 28;
const mostWork = 32 * scryptCost.n * scryptCost.r * scryptCost.p;
const fingerprintLength = 24;

/** The parameters of a new plan's fingerprints. The salt is always new, so files cannot be compared. */
export function newFingerprints(environment: Environment): Fingerprints {
  const salt = randomBytes(16).toString('base64url');
  return keyOf(environment) === undefined ? { method: 'scrypt', salt, ...scryptCost } : { method: 'hmac-sha256', salt };
}

/**
 * Makes fingerprints, once per text. Errors: `saved.key-missing` if the required key is not set; `saved.damaged` if
 * they would cost too much.
 */
export function fingerprinter(how: Fingerprints, environment: Environment): (text: string) => Promise<string> {
  const known = new Map<string, Promise<string>>();
  const make = how.method === 'scrypt' ? scryptFingerprint(how) : hmacFingerprint(how.salt, environment);
  return (text) => {
    const made = known.get(text) ?? make(text);
    known.set(text, made);
    return made;
  };
}

/** This many take some seconds. */
const manyTexts = 30;

/** Warns before many slow fingerprints are made, and says how to avoid them. */
export async function warnIfSlow({ method }: Fingerprints, texts: number, tell: Surroundings['tell']): Promise<void> {
  if (method !== 'scrypt' || texts < manyTexts) return;
  const made = 'they are made at once where GANTRY_SECRET_KEY is set for the plan and its apply';
  await tell({
    type: 'note',
    text: `note: fingerprints of ${texts} secret values take some 0.1 s of processor time each; ${made}`,
  });
}

function scryptFingerprint({
  salt,
  n,
  r,
  p,
}: Extract<Fingerprints, { method: 'scrypt' }>): (text: string) => Promise<string> {
  if (!isPowerOfTwo(n) || r < 1 || p < 1 || n * r * p > mostWork || 256 * n * r > mostMemory) {
    throw new ToolError({
      code: 'saved.damaged',
      message: 'this plan has invalid fingerprint parameters',
      hint: 'Plan again with --out.',
    });
  }
  const options = { N: n, r, p, maxmem: mostMemory };
  return (text) =>
    new Promise((resolve, reject) => {
      scrypt(text, Buffer.from(salt, 'base64url'), fingerprintLength, options, (error, key) =>
        error === null ? resolve(key.toString('base64url')) : reject(error),
      );
    });
}

function isPowerOfTwo(n: number): boolean {
  return n > 1 && Number.isInteger(Math.log2(n));
}

function hmacFingerprint(salt: string, environment: Environment): (text: string) => Promise<string> {
  const key = keyOf(environment);
  if (key === undefined) {
    throw new ToolError({
      code: 'saved.key-missing',
      message: 'the secrets of this plan can only be verified with a key, which is not set',
      hint: 'Set GANTRY_SECRET_KEY to the key that it was saved with.',
    });
  }
  const derived = derive(key, 'fingerprint');
  return (text) => Promise.resolve(createHmac('sha256', derived).update(`${salt}\n${text}`).digest('base64url'));
}

/** The digest that this environment can check: with a key only digests made with it, so the key cannot be bypassed. */
export function digestOf(environment: Environment): Digest {
  const key = keyOf(environment);
  if (key === undefined) {
    return { method: 'sha256', of: (text) => createHash('sha256').update(text).digest('base64url') };
  }
  const derived = derive(key, 'digest');
  return { method: 'hmac-sha256', of: (text) => createHmac('sha256', derived).update(text).digest('base64url') };
}

/** An empty variable counts as unset. */
function keyOf(environment: Environment): string | undefined {
  return environment['GANTRY_SECRET_KEY'] || undefined;
}

/** Derives a key for one purpose. */
function derive(key: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `gantry saved-plan ${purpose}`, 32));
}
