import type { Trust } from '../project/session/session.ts';
import type { Signers } from '../project/settings/signers.ts';
import { type CheckedSignature, checkSignatures, type TrustedKeys } from './checkSignatures.ts';
import type { Envelope } from './envelope.ts';
import type { PlanBytes, Target } from './statement.ts';
import { readTrustedKeys, type TrustedKey } from './trustedKeys.ts';

/** The values to compare: the bytes of the file, and its target. */
export interface Subject {
  readonly bytes: PlanBytes;
  /** Undefined to accept any target. */
  readonly target: Target | undefined;
  /** From `gantry.yaml`, for each environment that counts. */
  readonly signers?: readonly Signers[];
  readonly trust: Trust;
}

/**
 * Compares the signatures of a plan with the keys of `trust`, whose relative paths start at `cwd`, and of `signers` in
 * `gantry.yaml`: if several are given, a key must be in each. Errors: those of keys.
 */
export async function checkWithKeys(
  envelopes: readonly Envelope[],
  { bytes, target, ...whose }: Subject,
  cwd: string,
): Promise<readonly CheckedSignature[]> {
  const keys = await readKeys(whose, cwd);
  return checkSignatures(envelopes, { plan: bytes, target, keys, nowMs: Date.now() });
}

/** The trusted keys. Errors: those of keys. */
export async function readKeys(
  { signers = [], trust }: Pick<Subject, 'signers' | 'trust'>,
  cwd: string,
): Promise<TrustedKeys> {
  const [plan, approval] = await Promise.all([
    readAll([...signers.map(({ plan }) => plan), trust.signedBy], cwd),
    readAll([...signers.map(({ approval }) => approval), trust.approvedBy], cwd),
  ]);
  return { plan, approval };
}

/** The keys that are in every one of these files. */
async function readAll(files: readonly (string | undefined)[], cwd: string): Promise<readonly TrustedKey[]> {
  const named = files.filter((file) => file !== undefined);
  const [first = [], ...others] = await Promise.all(named.map((file) => readTrustedKeys(file, cwd)));
  const isIn = (keys: readonly TrustedKey[], key: TrustedKey) =>
    keys.some(({ fingerprint }) => fingerprint === key.fingerprint);
  return first.filter((key) => others.every((keys) => isIn(keys, key)));
}
