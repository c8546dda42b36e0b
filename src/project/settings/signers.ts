import { described } from '../../base/form/read.ts';
import { type MembersOf, object, path } from './setting.ts';

const members = {
  plan: described('The file with the public keys that may sign plans.', path),
  approval: described('The file with the public keys that may approve.', path),
};

/** The trusted signatures: files of public keys, absolute paths. */
export type Signers = MembersOf<typeof members>;

/** Whether one of them names keys for this role. */
export function hasKeysFor(all: readonly Signers[], role: keyof Signers): boolean {
  return all.some((signers) => signers[role] !== undefined);
}

export const signers = object(members, 'signers: {plan: keys/planners, approval: keys/approvers}');
