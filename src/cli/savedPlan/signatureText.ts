import { objectionText } from '../../automation/signing/demandSignatures.ts';
import { type ShownSignature, stateOf } from '../../automation/signing/signatureDocument.ts';
import type { Target } from '../../automation/signing/statement.ts';
import type { Palette } from '../terminal/palette.ts';
import { printable } from '../terminal/printable.ts';

/** One line for each signature of a plan, and where it may be applied. */
export function renderSignatures(signatures: readonly ShownSignature[], palette: Palette): string {
  const lines = signatures.flatMap((signature) => {
    const { role, key, target, signedAt, expiresAt } = signature.statement;
    const named = 'unchecked' in signature || signature.name === undefined ? key : `${key} (${signature.name})`;
    return [
      `  ${role.padEnd('approval'.length)}  ${printable(named)}  ${stateText(signature, palette)}`,
      palette.faint(`            ${signedAt} to ${expiresAt}, ${printable(targetText(target))}`),
    ];
  });
  return [palette.strong('Signatures:'), ...lines].join('\n');
}

function stateText(signature: ShownSignature, palette: Palette): string {
  const state = stateOf(signature);
  if (state === 'valid') return palette.add('valid');
  if ('unchecked' in signature || signature.objection === undefined) return palette.faint('not verified');
  return palette.refuse(objectionText(signature.objection));
}

/** `for the stack shop in the org acme on https://…, environment prod`. */
export function targetText({ org, stack, endpoints, environment }: Target): string {
  const where = endpoints.map((each) => (each === 'embedded' ? 'the embedded platform' : each)).join(' or ');
  return `for the stack ${stack} in the org ${org} on ${where}${environment === undefined ? '' : `, environment ${environment}`}`;
}
