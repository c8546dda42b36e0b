import { described } from '../../base/form/read.ts';
import { type MembersOf, object, path } from './setting.ts';

const members = {
  plan: described('The file with the public keys that may sign plans.', path),
  approval: described('The file with the public keys that may approve.', path),
};

/** Whose signatures count: files of public keys, absolute. */
export type Signers = MembersOf<typeof members>;

/** Whether one of them says which keys count for this. */
export function namesKeys(all: readonly Signers[], role: keyof Signers): boolean {
  return all.some((signers) => signers[role] !== undefined);
}

export const signers = object(members, 'signers: {plan: keys/planners, approval: keys/approvers}');
