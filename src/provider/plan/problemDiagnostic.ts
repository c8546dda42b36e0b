import type { AttributePath, Diagnostic } from '../../hcl/diagnostic.ts';
import { inAttributesOf } from '../../hcl/schema/fieldWords.ts';
import { pathText } from '../../hcl/values/manifestOf.ts';
import type { KnownKind } from '../../schema/record/kinds.ts';
import type { Problem } from '../../schema/record/problem.ts';

/** A problem that a rule found in a record of the kind, at the attribute where it is. */
export function problemDiagnostic(
  kind: KnownKind,
  { rule, message, hint, severity }: Problem,
  path: AttributePath,
): Diagnostic {
  const at = pathText(path);
  return {
    severity,
    summary: `${at === '' ? 'The resource' : at}: ${inAttributesOf(kind, message)}`,
    detail: [...(hint === undefined ? [] : [inAttributesOf(kind, hint)]), `(${rule})`].join(' '),
    path,
  };
}
