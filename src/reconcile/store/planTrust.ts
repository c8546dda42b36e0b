import { type CheckedSignature, checkSignatures, type TrustedKeys } from '../../signing/checkSignatures.ts';
import { objectionText } from '../../signing/demandSignatures.ts';
import { readEnvelope } from '../../signing/envelope.ts';
import { planBytesOf, type Target } from '../../signing/statement.ts';
import { parseTrustedKeys, type TrustedKey } from '../../signing/trustedKeys.ts';
import type { KeptPlan } from './keptFiles.ts';

/**
 * Whose signatures of a plan count, and for where, as `gantry.yaml` says when it is proposed: the board does not have the
 * code. The keys name the plan too, so they hold as long as it waits.
 */
export interface PlanTrust {
  readonly target: Target;
  /** In PEM. */
  readonly keys: Readonly<Record<keyof TrustedKeys, string>>;
}

export function planTrust({ plan, approval }: TrustedKeys, target: Target): PlanTrust {
  return { target, keys: { plan: inPem(plan), approval: inPem(approval) } };
}

export interface SignedPlan extends KeptPlan {
  readonly trust: PlanTrust;
}

/** Why approvals with a key do not count, in the order of their lines; undefined: it counts. */
export function objectionsTo(
  { file, signatures, trust: { target, keys } }: SignedPlan,
  lines: readonly string[],
  nowMs: number,
): readonly (string | undefined)[] {
  const planners = signatures.split('\n').flatMap((line) => readEnvelope(line) ?? []);
  const read = lines.map(readEnvelope);
  const approvals = read.filter((each) => each !== undefined);
  const checked = checkSignatures([...planners, ...approvals], {
    plan: planBytesOf(Buffer.from(file)),
    target,
    keys: { plan: fromPem(keys.plan), approval: fromPem(keys.approval) },
    nowMs,
  });
  const found = new Map(approvals.map((envelope, index) => [envelope, checked[planners.length + index]]));
  return read.map((envelope) => (envelope === undefined ? 'it is no whole signature' : whyNot(found.get(envelope))));
}

function whyNot(checked: CheckedSignature | undefined): string | undefined {
  if (checked?.statement.role !== 'approval') return 'it is that of who planned';
  return checked.objection === undefined ? undefined : objectionText(checked.objection);
}

function inPem(keys: readonly TrustedKey[]): string {
  return keys.map(({ key }) => String(key.export({ format: 'pem', type: 'spki' }))).join('');
}

function fromPem(text: string): readonly TrustedKey[] {
  return parseTrustedKeys(text, 'the store');
}
