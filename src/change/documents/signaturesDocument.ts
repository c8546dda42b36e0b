import { choice, described, list, object, objectOf, optional, publishedForm, text } from '../../base/form/form.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { errorMember } from '../../kinds/errorSchema.ts';

/** The states of a signature; `valid`: it counts. */
export const signatureStates = [
  'unchecked',
  'valid',
  'unknown-key',
  'forged',
  'other-plan',
  'other-target',
  'expired',
  'early',
  'same-key',
] as const;

const signature = object({
  role: choice('plan', 'approval'),
  key: described('The fingerprint of the key, as ssh-keygen -l prints it.', text),
  name: optional(described('Of the key in the file of public keys.', text)),
  state: described(
    'unchecked: no public keys were given, and without them nothing speaks against it. early: dated in the future.',
    choice(...signatureStates),
  ),
  org: text,
  stack: text,
  endpoints: described('Where the plan may be applied; embedded: the platform of the process.', list(text)),
  environment: optional(described('Of --env.', text)),
  signedAt: described('ISO 8601, in UTC.', text),
  expiresAt: text,
});

export const signaturesForm = described('The signatures beside the file of a saved plan.', list(signature));

/** The output of `gantry approve -o json`. */
export const approvalForm = object({
  plan: described('The file that is approved.', text),
  file: described('The file of its signatures.', text),
  signatures: signaturesForm,
  error: optional(objectOf(errorMember)),
});

/** The JSON Schema of `gantry approve -o json`; the build writes it to `dist/schemas/approval.json`. */
export const approvalSchema: JsonObject = publishedForm(
  'approval',
  'Approval of a Gantry plan, format 1',
  approvalForm,
);
