import { type Envelope, isSignedBy } from './envelope.ts';
import type { PlanBytes, Role, Statement, Target } from './statement.ts';
import { differenceOf, type TargetDifference } from './target.ts';
import type { TrustedKey } from './trustedKeys.ts';

/** The keys whose signatures count, each for one role: a key for plans cannot approve. */
export type TrustedKeys = Readonly<Record<Role, readonly TrustedKey[]>>;

/** Why a signature does not count. */
export type Objection =
  /** It is from no trusted key, or the key is not trusted for this role. */
  | { readonly why: 'unknown-key' }
  /** The key is trusted but did not sign this. */
  | { readonly why: 'forged' }
  | { readonly why: 'other-plan' }
  | { readonly why: 'other-target'; readonly difference: TargetDifference }
  | { readonly why: 'expired' }
  /** It is dated in the future, by the clock of this machine. */
  | { readonly why: 'early' }
  /** The planner's own key, or one that has approved already. */
  | { readonly why: 'same-key' };

export interface CheckedSignature {
  readonly statement: Statement;
  /** The trusted key's name in its list. */
  readonly name: string | undefined;
  /** Undefined if it counts. */
  readonly objection: Objection | undefined;
}

export interface Checking {
  readonly plan: PlanBytes;
  /** Undefined to accept any target. */
  readonly target: Target | undefined;
  readonly keys: TrustedKeys;
  readonly nowMs: number;
}

/** The tolerated difference between the clocks of two machines. */
const mostClockSkewMs = 5 * 60_000;

/** Each signature with its objection, in their order. */
export function checkSignatures(envelopes: readonly Envelope[], checking: Checking): readonly CheckedSignature[] {
  const planners = envelopes.filter((envelope) => isOwnPlan(envelope, checking)).map(({ statement }) => statement.key);
  const used = new Set(planners);
  return envelopes.map((envelope) => {
    const checked = checkOne(envelope, checking);
    if (!counts('approval')(checked)) return checked;
    if (used.has(checked.statement.key)) return { ...checked, objection: { why: 'same-key' } };
    used.add(checked.statement.key);
    return checked;
  });
}

/** Selects the valid signatures of a role. */
export function counts(role: Role): (signature: CheckedSignature) => boolean {
  return ({ statement, objection }) => statement.role === role && objection === undefined;
}

/** Whether a known key has signed this plan as its own, even without the permission to plan. */
function isOwnPlan(envelope: Envelope, { plan, keys }: Checking): boolean {
  const { role, plan: signed } = envelope.statement;
  const known = knownKey(envelope, keys);
  return role === 'plan' && isSame(signed, plan) && known !== undefined && isSignedBy(envelope, known);
}

function checkOne(envelope: Envelope, checking: Checking): CheckedSignature {
  const { statement } = envelope;
  const known = knownKey(envelope, checking.keys);
  return { statement, name: known?.name, objection: objectionTo(envelope, known, checking) };
}

function objectionTo(
  envelope: Envelope,
  known: TrustedKey | undefined,
  { plan, target, keys, nowMs }: Checking,
): Objection | undefined {
  const { statement } = envelope;
  if (known === undefined) return { why: 'unknown-key' };
  if (!isSignedBy(envelope, known)) return { why: 'forged' };
  if (!keys[statement.role].some(({ fingerprint }) => fingerprint === known.fingerprint)) return { why: 'unknown-key' };
  const objection = objectionWithoutKeys(statement, { plan, nowMs });
  if (objection?.why === 'other-plan') return objection;
  const difference = target === undefined ? undefined : differenceOf(statement.target, target);
  return difference === undefined ? objection : { why: 'other-target', difference };
}

/** Why a signature does not count for any key: because of the plan or the time. */
export function objectionWithoutKeys(
  { plan: signed, signedAt, expiresAt }: Statement,
  { plan, nowMs }: Pick<Checking, 'plan' | 'nowMs'>,
): Objection | undefined {
  if (!isSame(signed, plan)) return { why: 'other-plan' };
  if (nowMs >= Date.parse(expiresAt)) return { why: 'expired' };
  return Date.parse(signedAt) > nowMs + mostClockSkewMs ? { why: 'early' } : undefined;
}

function knownKey({ statement }: Envelope, keys: TrustedKeys): TrustedKey | undefined {
  return [...keys.plan, ...keys.approval].find(({ fingerprint }) => fingerprint === statement.key);
}

function isSame(a: PlanBytes, b: PlanBytes): boolean {
  return a.sha256 === b.sha256 && a.bytes === b.bytes;
}
