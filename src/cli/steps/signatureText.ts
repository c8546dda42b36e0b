import { signatureWords } from '../../change/documents/signatureWords.ts';
import { objectionText } from '../../signing/requiredApprovals.ts';
import { type ShownSignature, stateOf } from '../../signing/signatureDocument.ts';
import type { Target } from '../../signing/statement.ts';
import type { Palette } from '../../terminal/palette.ts';
import { printable } from '../../terminal/printable.ts';

/**
 * One line for each signature of a plan, with the place where it may be applied; then a warning for readers who did not
 * verify them.
 */
export function renderSignatures(signatures: readonly ShownSignature[], file: string, palette: Palette): string {
  const lines = signatures.flatMap((signature) => {
    const { role, key, target, signedAt, expiresAt } = signature.statement;
    const named = 'unchecked' in signature || signature.name === undefined ? key : `${key} (${signature.name})`;
    return [
      `  ${role.padEnd('approval'.length)}  ${printable(named)}  ${stateText(signature, palette)}`,
      palette.faint(`            ${signedAt} to ${expiresAt}, ${printable(targetText(target))}`),
    ];
  });
  return [palette.strong('Signatures:'), ...lines, ...adviceOn(signatures, file)].join('\n');
}

function adviceOn(signatures: readonly ShownSignature[], file: string): readonly string[] {
  const unchecked = signatures.filter((signature) => 'unchecked' in signature);
  if (unchecked.length === 0) return [];
  const isOther = unchecked.some(({ objection }) => objection?.why === 'other-plan');
  return [
    ...(isOther ? ['This file is not what was signed: it was changed, or the signatures are of another plan.'] : []),
    `To verify signatures: gantry show ${printable(file)} --signed-by FILE --approved-by FILE, each with public keys.`,
  ];
}

function stateText(signature: ShownSignature, palette: Palette): string {
  const state = stateOf(signature);
  if (signature.objection !== undefined) return palette.refuse(objectionText(signature.objection));
  return state === 'valid' ? palette.add(signatureWords[state]) : palette.faint(signatureWords[state]);
}

/** `for the stack shop in the org acme on https://…, environment prod`. */
export function targetText({ org, stack, endpoints, environment }: Target): string {
  const where = endpoints.map((each) => (each === 'embedded' ? 'the embedded platform' : each)).join(' or ');
  const stacks = stack.includes(', ') ? 'stacks' : 'stack';
  return `for the ${stacks} ${stack} in the org ${org} on ${where}${environment === undefined ? '' : `, environment ${environment}`}`;
}
