import type { Signers } from '../../automation/settings/signers.ts';
import type { Demands } from '../../automation/signing/demandSignatures.ts';
import { type Limits, limitPath } from '../../plan/model/limits.ts';
import type { TrustOptions } from '../line/options.ts';

/** What may demand signatures. */
export interface Demanding {
  readonly options: TrustOptions;
  /** Of `gantry.yaml`. */
  readonly signers?: Signers | undefined;
  /** Those of the environment, as they are now and as they were when it was planned. */
  readonly limits?: readonly (Limits | undefined)[];
}

/** Limits demand signatures, and so does whoever names keys. Nothing loosens anything else. */
export function demandsOf({ options, signers = {}, limits = [] }: Demanding): Demands {
  const given = limits.filter((each) => each !== undefined);
  const signing = given.find(({ signature }) => signature !== undefined);
  const approving = given.toSorted((a, b) => (b.approvals ?? 0) - (a.approvals ?? 0))[0];
  const isNamed = options.approvedBy !== undefined || signers.approval !== undefined;
  const approvals = Math.max(approving?.approvals ?? 0, isNamed ? 1 : 0);
  return {
    signature: signing !== undefined || options.signedBy !== undefined || signers.plan !== undefined,
    approvals,
    by: {
      ...(signing === undefined ? {} : { plan: limitPath(signing, 'signature') }),
      ...(approving?.approvals === undefined ? {} : { approval: limitPath(approving, 'approvals') }),
    },
  };
}
