import type { Demands } from '../../automation/signing/demandSignatures.ts';
import type { TrustOptions } from '../line/options.ts';

/** Whoever names keys wants a signature of one of them. */
export function demandsOf({ signedBy, approvedBy }: TrustOptions): Demands {
  return { signature: signedBy !== undefined, approvals: approvedBy === undefined ? 0 : 1 };
}
