import { signStatement } from './envelope.ts';
import type { SigningKey } from './signingKey.ts';
import type { PlanBytes, Role, Statement, Target } from './statement.ts';

/** The key for signing, and the validity. */
export interface Signing {
  readonly key: SigningKey;
  readonly validForMs: number;
}

export interface ToSign {
  readonly role: Role;
  readonly plan: PlanBytes;
  readonly target: Target;
  readonly nowMs: number;
}

/** A new signature, and its line of the file. */
export function signPlan(
  { role, plan, target, nowMs }: ToSign,
  { key, validForMs }: Signing,
): { readonly statement: Statement; readonly line: string } {
  const statement: Statement = {
    gantry: 'plan-signature',
    formatVersion: 1,
    role,
    key: key.fingerprint,
    plan,
    target,
    signedAt: new Date(nowMs).toISOString(),
    expiresAt: new Date(nowMs + validForMs).toISOString(),
  };
  return { statement, line: signStatement(statement, key) };
}
