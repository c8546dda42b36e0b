import { present } from '../base/json/present.ts';
import { type Limits, limitPath } from '../plan/model/limits.ts';
import type { Trust } from '../project/session/trust.ts';
import { namesKeys, type Signers } from '../project/settings/signers.ts';
import type { Demands } from './demandSignatures.ts';

/** The settings that may demand signatures. */
export interface Demanding {
  readonly trust: Trust;
  /** Of `gantry.yaml`, for each environment that counts. */
  readonly signers?: readonly Signers[];
  /** Those of these environments, as they are now and as they were when it was planned. */
  readonly limits?: readonly Limits[];
}

/** Limits demand signatures, and so does whoever names keys. Nothing loosens anything else. */
export function demandsOf({ trust, signers = [], limits = [] }: Demanding): Demands {
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
  return namesKeys(signers, role) ? `gantry.yaml: signers.${role}` : undefined;
}
