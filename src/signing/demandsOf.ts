import { type Limits, limitPath } from '../plan/model/limits.ts';
import type { Trust } from '../project/session/trust.ts';
import { namesKeys, type Signers } from '../project/settings/signers.ts';
import type { Demands } from './demandSignatures.ts';

/** What may demand signatures. */
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
  const isNamed = trust.approvedBy !== undefined || namesKeys(signers, 'approval');
  const approvals = Math.max(approving?.approvals ?? 0, isNamed ? 1 : 0);
  return {
    signature: signing !== undefined || trust.signedBy !== undefined || namesKeys(signers, 'plan'),
    approvals,
    by: {
      ...(signing === undefined ? {} : { plan: limitPath(signing, 'signature') }),
      ...(approving?.approvals === undefined ? {} : { approval: limitPath(approving, 'approvals') }),
    },
  };
}
