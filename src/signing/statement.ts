import { choice, count, list, type Of, object, optional, text } from '../base/form/form.ts';
import { sha256 } from '../project/files/sha256.ts';

/** The meaning of a signature: `plan` — this was planned; `approval` — this was approved. */
const roles = ['plan', 'approval'] as const;
export type Role = (typeof roles)[number];

/** The target to which a plan may be applied. */
const targetForm = object({
  org: text,
  /** The owner: the value of the tag `gantry/stack`. */
  stack: text,
  /** Without passwords, sorted; `embedded` is the platform in the process. */
  endpoints: list(text),
  /** From `--env`. */
  environment: optional(text),
});
export type Target = Of<typeof targetForm>;

/** The file of a plan, identified by the hash of all its bytes in hexadecimal digits. */
const planBytesForm = object({ sha256: text, bytes: count });
export type PlanBytes = Of<typeof planBytesForm>;

export function planBytesOf(bytes: Buffer): PlanBytes {
  return { sha256: sha256(bytes), bytes: bytes.length };
}

/** The signed statement. It identifies the plan by the hash of its whole file. */
export const statementForm = object({
  gantry: choice('plan-signature'),
  formatVersion: choice(1),
  role: choice(...roles),
  /** The fingerprint of the key that signs: `SHA256:…`. */
  key: text,
  plan: planBytesForm,
  target: targetForm,
  /** ISO 8601, in UTC. */
  signedAt: text,
  expiresAt: text,
});
export type Statement = Of<typeof statementForm>;
