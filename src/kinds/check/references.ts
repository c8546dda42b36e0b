import { writtenKinds } from '../../schema/record/kinds.ts';
import { formatRef } from '../../schema/record/ref.ts';
import { type Related, type RuleOf, ruleGroup, type Subject, sharedView } from '../../schema/rules/rule.ts';
import { isRequired } from '../shape/referenceStrength.ts';
import { type Reference, references } from '../shape/references.ts';

/** The references of a record, found once for all the rules that look at them. */
export const referencesOf = sharedView(({ kind, record, context }: Subject): readonly Reference[] =>
  references(kind, record, context),
);

/** Members of groups have the same rule under their own id, GR3. */
const missing: RuleOf<Subject> = {
  id: 'reference.missing',
  section: 'deletion.references',
  title: 'Everything that a record needs exists before the record.',
  severity: 'error',
  fix: 'Create it first, or declare it in the same stack.',
  related(subject, related, report) {
    for (const { target, pointer, fact } of missingTargets(subject, related)) {
      if (fact?.mayBeMissing !== true) report(pointer, `${formatRef(target)} does not exist`);
    }
  },
};

const dangling: RuleOf<Subject> = {
  id: 'reference.dangling',
  section: 'deletion.dangling',
  title: 'A secret of a cloud account, the alias workload, and the identity and secrets of keda should exist.',
  severity: 'warning',
  fix: 'Create it, or declare it in the same stack.',
  related(subject, related, report) {
    for (const { target, pointer, fact } of missingTargets(subject, related)) {
      if (fact?.mayBeMissing === true) report(pointer, `${formatRef(target)} does not exist`);
    }
  },
};

function missingTargets(subject: Subject, related: Related): readonly Reference[] {
  return referencesOf(subject).filter(
    (reference) => isRequired(reference) && related.get(reference.target) === undefined,
  );
}

export const referenceRules = ruleGroup(
  writtenKinds.filter((kind) => kind !== 'group'),
  (subject) => subject,
  [missing, dangling],
);
