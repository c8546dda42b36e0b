import { namesKeys, type Signers } from '../../automation/settings/signers.ts';
import type { Demands } from '../../automation/signing/demandSignatures.ts';
import { type Limits, limitPath } from '../../plan/model/limits.ts';
import type { TrustOptions } from '../line/options.ts';

/** What may demand signatures. */
export interface Demanding {
  readonly options: TrustOptions;
  /** Of `gantry.yaml`, for each environment that counts. */
  readonly signers?: readonly Signers[];
  /** Those of these environments, as they are now and as they were when it was planned. */
  readonly limits?: readonly Limits[];
}

/** Limits demand signatures, and so does whoever names keys. Nothing loosens anything else. */
export function demandsOf({ options, signers = [], limits = [] }: Demanding): Demands {
  const signing = limits.find(({ signature }) => signature !== undefined);
  const approving = limits.toSorted((a, b) => (b.approvals ?? 0) - (a.approvals ?? 0))[0];
  const isNamed = options.approvedBy !== undefined || namesKeys(signers, 'approval');
  const approvals = Math.max(approving?.approvals ?? 0, isNamed ? 1 : 0);
  return {
    signature: signing !== undefined || options.signedBy !== undefined || namesKeys(signers, 'plan'),
    approvals,
    by: {
      ...(signing === undefined ? {} : { plan: limitPath(signing, 'signature') }),
      ...(approving?.approvals === undefined ? {} : { approval: limitPath(approving, 'approvals') }),
    },
  };
}
