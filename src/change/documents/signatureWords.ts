import type { signatureStates } from './signaturesDocument.ts';

/** The words for each state of a signature. A state without words does not compile. */
export const signatureWords: Readonly<Record<(typeof signatureStates)[number], string>> = {
  unchecked: 'not verified',
  valid: 'valid',
  'unknown-key': 'its key is not trusted for this',
  forged: 'it was not made with its key',
  'other-plan': 'it is for another plan',
  'other-target': 'it is for another target',
  expired: 'it has expired',
  early: 'it is dated in the future (check the clocks)',
  'same-key': 'this key has signed already',
};
