import type { Problem } from '../../schema/record/problem.ts';
import type { AttributePath, Diagnostic } from '../model/diagnostic.ts';
import { inAttributeNames } from '../schema/attributeName.ts';
import { pathText } from '../values/manifestOf.ts';

/** What a rule found, at the attribute where it is. */
export function problemDiagnostic({ rule, message, hint, severity }: Problem, path: AttributePath): Diagnostic {
  const at = pathText(path);
  return {
    severity,
    summary: `${at === '' ? 'The resource' : at}: ${inAttributeNames(message)}`,
    detail: [...(hint === undefined ? [] : [inAttributeNames(hint)]), `(${rule})`].join(' '),
    path,
  };
}
