import { hiddenField } from '../../schema/facts/kindFacts.ts';
import { contextOf } from '../../schema/record/context.ts';
import type { CreatableKind } from '../../schema/record/kinds.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { checkRecord } from '../../schema/rules/registry.ts';
import { type Validators, validateShape } from '../../schema/validation/validators.ts';
import type { AttributePath, Diagnostic } from '../model/diagnostic.ts';
import type { ObjectValue } from '../model/value.ts';
import { attributePathOf } from '../values/attributePath.ts';
import { wrongChoice } from '../values/choiceOfType.ts';
import { manifestOf } from '../values/manifestOf.ts';
import { withoutEmptyChoice } from '../values/saidChoice.ts';
import { problemDiagnostic } from './problemDiagnostic.ts';
import { refOf, type Surroundings } from './target.ts';

/** Links without an org are of this one, whatever it is called. */
const someOrg = 'org';

/** Without `org`, which is not known before the provider is configured, it is not checked in which org links are. */
export interface ValidateInput extends Partial<Surroundings> {
  readonly kind: CreatableKind;
  readonly config: ObjectValue;
  /** For at least this kind (`loadValidators`). */
  readonly validators: Validators;
}

/** What is wrong with a configuration by itself; nothing is concluded from what is not known yet. */
export function validateConfig({ kind, config: written, validators, org, gvc }: ValidateInput): readonly Diagnostic[] {
  const config = withoutEmptyChoice(kind, written);
  const { record, unknowns, diagnostics: unwritable } = manifestOf(kind, config);
  const diagnostics = [...unwritable, ...wrongChoice(kind, config, record)];
  const reported = diagnostics.flatMap(({ path }) => (path === undefined ? [] : [path])); // what they are about is left out
  const ref = refOf(kind, config, null, { org: org ?? someOrg, ...(gvc === undefined ? {} : { gvc }) });
  const context = contextOf(ref, org ?? someOrg);
  const found = [...validateShape(validators, kind, record), ...checkRecord(kind, record, context, 'offline')];
  const judged = found.filter(({ rule }) => org !== undefined || rule !== 'link.org');
  const problems = judged.flatMap((problem): readonly Diagnostic[] => {
    if (isMissing(problem, hiddenField(kind))) return []; // an existing record keeps it: the plan asks for it
    const path = attributePathOf(kind, problem.pointer, config);
    const isOpen = unknowns.some((each) => isNear(each, path)) || reported.some((each) => startsWith(path, each));
    return isOpen ? [] : [problemDiagnostic(kind, problem, path)];
  });
  return [...diagnostics, ...problems];
}

function isMissing({ rule, pointer }: Problem, field: string | undefined): boolean {
  return rule === 'shape.required' && pointer.length === 1 && pointer[0] === field;
}

/** Is one inside the other, or do both belong to the same object? */
function isNear(open: AttributePath, path: AttributePath): boolean {
  const around = open.slice(0, -1);
  return startsWith(path, around) || startsWith(open, path);
}

function startsWith(path: AttributePath, start: AttributePath): boolean {
  return start.length <= path.length && start.every((step, index) => path[index] === step);
}
