import type { ExplainedField, Explanation } from '../../change/explain/explanation.ts';
import { proofText } from './changeText.ts';
import { diffLines, fieldDiff } from './fieldDiff.ts';
import type { Foldable } from './fold.ts';
import { code, details, fenced, htmlCode } from './inline.ts';

/** What is planned for the resource, and why. */
export function explanationFacts({ resource, action, reason, owner, proof, refusals }: Explanation): string {
  return [
    `- ${code(resource)}: ${action}${reason === '' ? '' : `, ${code(reason)}`}`,
    ...(owner === undefined ? [] : [`- owner: ${code(owner)}`]),
    ...(proof === undefined ? [] : [`- ${proofText(proof)}`]),
    ...refusals.slice(0, mostRefusals).map(({ code: id, message }) => `- refused: ${code(id)} ${code(message)}`),
  ].join('\n');
}

const mostRefusals = 20;

/** Why one field is changed: in one line, and with its values and who wrote the live one. */
export function explanationLevels({ path, because, declared, live, at, writer, risk }: ExplainedField): Foldable {
  const value = {
    path,
    ...(live === undefined ? {} : { old: live }),
    ...(declared === undefined ? {} : { new: declared }),
    ...(risk === undefined ? {} : { risk }),
  };
  const facts = [
    `- ${code(because)}`,
    ...(at === undefined ? [] : [`- declared at ${code(`${at.file}:${at.line}:${at.column}`)}`]),
    ...(writer === undefined || writer === null
      ? []
      : [`- live since version ${writer.version}, by ${code(writer.name)} at ${code(writer.at)}`]),
  ].join('\n');
  const body = [fenced('diff', diffLines(fieldDiff(value))), facts].join('\n\n');
  return ['', `- ${code(path)}: ${code(because)}`, details(htmlCode(path), body)];
}
