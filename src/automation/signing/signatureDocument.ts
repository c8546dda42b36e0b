import { signaturesForm } from '../../plan/documents/signaturesDocument.ts';
import type { JsonValue } from '../../schema/json/json.ts';
import type { CheckedSignature } from './checkSignatures.ts';
import type { Statement } from './statement.ts';

/** A signature for readers; `checked`: the keys were there to verify it. */
export type ShownSignature = CheckedSignature | { readonly statement: Statement; readonly unchecked: true };

export type SignatureState = ReturnType<typeof stateOf>;

/** `valid`, or why it does not count. */
export function stateOf(signature: ShownSignature) {
  if ('unchecked' in signature) return 'unchecked';
  return signature.objection?.why ?? 'valid';
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
