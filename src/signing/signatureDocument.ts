import type { JsonValue } from '../base/json/json.ts';
import { signaturesForm } from '../change/documents/signaturesDocument.ts';
import { type CheckedSignature, objectionWithoutKeys } from './checkSignatures.ts';
import type { PlanBytes, Statement } from './statement.ts';

/** A signature for display. `unchecked`: there were no keys to verify it, so a missing objection proves nothing. */
export type ShownSignature = CheckedSignature | UncheckedSignature;

interface UncheckedSignature extends Pick<CheckedSignature, 'statement' | 'objection'> {
  readonly unchecked: true;
}

/** The facts about a signature that need no keys. */
export function uncheckedSignature(statement: Statement, plan: PlanBytes, nowMs: number): UncheckedSignature {
  return { statement, unchecked: true, objection: objectionWithoutKeys(statement, { plan, nowMs }) };
}

/** `valid`, or why it does not count. */
export function stateOf(signature: ShownSignature) {
  return signature.objection?.why ?? ('unchecked' in signature ? 'unchecked' : 'valid');
}

export function signaturesToJson(signatures: readonly ShownSignature[]): JsonValue {
  return signaturesForm.write(
    signatures.map((signature) => {
      const { role, key, target, signedAt, expiresAt } = signature.statement;
      const name = 'unchecked' in signature ? undefined : signature.name;
      return { role, key, name, state: stateOf(signature), ...target, signedAt, expiresAt };
    }),
  );
}
