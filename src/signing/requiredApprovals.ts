import { compact, present } from '../base/json/present.ts';
import { ToolError } from '../base/toolError.ts';
import { signatureWords } from '../change/documents/signatureWords.ts';
import { type Limits, limitPath } from '../plan/model/limits.ts';
import type { Trust } from '../project/session/session.ts';
import { hasKeysFor, type Signers } from '../project/settings/signers.ts';
import { type CheckedSignature, counts } from './checkSignatures.ts';
import type { Role } from './statement.ts';
import type { TargetDifference } from './target.ts';

/** The signatures that a plan needs before it is applied. */
export interface RequiredSignatures {
  /** Whether a signature by a key that may plan is needed. */
  readonly signature: boolean;
  /** The number of approvals, each by another key that may approve, and none by the key that planned. */
  readonly approvals: number;
  /**
   * The setting that demands them: `gantry.yaml: environments.prod.limits.signature`, `gantry.yaml: signers.plan`,
   * `--signed-by keys`.
   */
  readonly by?: Readonly<Partial<Record<Role, string>>>;
}

const again = 'Plan again with --sign, and have it approved again.';

/**
 * Throws if a demand is not met, and if a trusted key's signature is for something else, because the files do not
 * belong together.
 *
 * Errors: `saved.unsigned`, `saved.signature-invalid`, `saved.signature-unknown`, `saved.signature-expired`,
 * `saved.approvals`, and `saved.other-org`, `saved.other-stack`, `saved.other-endpoint`, `saved.other-environment`.
 */
export function requireSignatures(
  checked: readonly CheckedSignature[],
  { signature, approvals, by = {} }: RequiredSignatures,
): void {
  for (const each of checked) refuseForeign(each);
  if (signature && !checked.some(counts('plan'))) throw missing(checked.filter(isOf('plan')), by.plan);
  const approved = checked.filter(counts('approval')).length;
  if (approved < approvals)
    throw tooFew({ given: approved, needed: approvals, by: by.approval }, checked.filter(isOf('approval')));
}

function isOf(role: Role): (signature: CheckedSignature) => boolean {
  return ({ statement }) => statement.role === role;
}

const otherCodes: Readonly<Record<TargetDifference['what'], string>> = {
  org: 'saved.other-org',
  stack: 'saved.other-stack',
  endpoint: 'saved.other-endpoint',
  environment: 'saved.other-environment',
};

function refuseForeign({ statement, objection }: CheckedSignature): void {
  if (objection?.why === 'forged') {
    throw invalid(`a signature names key ${statement.key} but was not made with it`);
  }
  if (objection?.why === 'other-plan') {
    throw invalid(
      `the ${nounOf(statement.role)} of the key ${statement.key} is for another plan, or the plan was changed`,
    );
  }
  if (objection?.why !== 'other-target') return;
  const { what, signed, actual } = objection.difference;
  throw new ToolError({
    code: otherCodes[what],
    message: `the ${nounOf(statement.role)} of this plan is for the ${what} ${signed}, not ${actual}`,
    hint: `Apply it there, or plan again for the other ${what}.`,
  });
}

function nounOf(role: Role): string {
  return role === 'plan' ? 'signature' : 'approval';
}

function invalid(why: string): ToolError {
  return new ToolError({ code: 'saved.signature-invalid', message: why, hint: again });
}

/** There is no valid signature of a planner. */
function missing(found: readonly CheckedSignature[], by: string | undefined): ToolError {
  const [expired] = found.filter(({ objection }) => objection?.why === 'expired');
  if (expired !== undefined) {
    return new ToolError({
      code: 'saved.signature-expired',
      message: `the signature of this plan has expired at ${expired.statement.expiresAt}`,
      hint: again,
    });
  }
  const [early] = found.filter(({ objection }) => objection?.why === 'early');
  if (early !== undefined)
    return invalid(`a signature is dated in the future (check the clocks): ${early.statement.signedAt}`);
  const [unknown] = found;
  if (unknown !== undefined) {
    return new ToolError({
      code: 'saved.signature-unknown',
      message: `this plan was signed with the key ${unknown.statement.key}, which is none of the keys that may plan`,
      hint: 'Add its public key to the file of --signed-by (signers.plan in gantry.yaml) if you trust it, or plan again with a key that is in there.',
    });
  }
  return new ToolError({
    code: 'saved.unsigned',
    message: `${prefix(by)}this plan is not signed, and a signature is required`,
    hint: 'Plan again with --out FILE --sign KEYFILE.',
  });
}

interface Approvals {
  readonly given: number;
  readonly needed: number;
  readonly by: string | undefined;
}

function prefix(by: string | undefined): string {
  return by === undefined ? '' : `${by}: `;
}

function tooFew({ given, needed, by }: Approvals, found: readonly CheckedSignature[]): ToolError {
  const others = compact(found, ({ statement, objection }) =>
    objection === undefined ? undefined : `that of ${statement.key} does not count: ${objectionText(objection)}`,
  );
  return new ToolError({
    code: 'saved.approvals',
    message: [`${prefix(by)}this plan has ${given} of ${needed} approvals`, ...others].join('\n  '),
    hint: 'Have it approved by somebody else: gantry approve FILE --sign KEYFILE.',
  });
}

export function objectionText(objection: NonNullable<CheckedSignature['objection']>): string {
  if (objection.why !== 'other-target') return signatureWords[objection.why];
  return `it is for the ${objection.difference.what} ${objection.difference.signed}`;
}

/** The settings that may demand signatures. */
export interface RequiringSettings {
  readonly trust: Trust;
  /** From `gantry.yaml`, for each environment that counts. */
  readonly signers?: readonly Signers[];
  /** Those of these environments, now and at the time of the plan. */
  readonly limits?: readonly Limits[];
}

/** Signatures are demanded by limits, and by given keys. No setting weakens another one. */
export function requiredSignatures({ trust, signers = [], limits = [] }: RequiringSettings): RequiredSignatures {
  const signing = limits.find(({ signature }) => signature !== undefined);
  const approving = limits.toSorted((a, b) => (b.approvals ?? 0) - (a.approvals ?? 0))[0];
  const named = {
    plan: namedBy('--signed-by', trust.signedBy) ?? settingOf('plan', signers),
    approval: namedBy('--approved-by', trust.approvedBy) ?? settingOf('approval', signers),
  };
  const plan = signing === undefined ? named.plan : limitPath(signing, 'signature');
  const approval = approving?.approvals === undefined ? named.approval : limitPath(approving, 'approvals');
  return {
    signature: plan !== undefined,
    approvals: Math.max(approving?.approvals ?? 0, named.approval === undefined ? 0 : 1),
    by: present({ plan, approval }),
  };
}

function namedBy(flag: string, file: string | undefined): string | undefined {
  return file === undefined ? undefined : `${flag} ${file}`;
}

function settingOf(role: keyof Signers, signers: readonly Signers[]): string | undefined {
  return hasKeysFor(signers, role) ? `gantry.yaml: signers.${role}` : undefined;
}
