import { writtenKinds } from '../../kinds.ts';
import { formatRef } from '../../ref.ts';
import { type Reference, references } from '../../references.ts';
import { ruleGroup, type RuleOf, sharedView, type Subject } from '../rule.ts';

/** The references of a record, found once for all the rules that look at them. */
export const referencesOf = sharedView(({ kind, record, context }: Subject): readonly Reference[] =>
  references(kind, record, context),
);

/** Members of groups have the same rule under their own id, GR3. */
const missing: RuleOf<Subject> = {
  id: 'reference.missing',
  section: 'resources D',
  title: 'What a record needs exists before it.',
  severity: 'error',
  fix: 'Create it first, or declare it in the same stack.',
  related(subject, related, report) {
    if (subject.kind === 'group') return;
    for (const { target, strength, pointer } of referencesOf(subject)) {
      if (strength !== 'hard' && strength !== 'second-step') continue;
      if (related.get(target) === undefined) report(pointer, `${formatRef(target)} does not exist`);
    }
  },
};

export const referenceRules = ruleGroup(writtenKinds, (subject) => subject, [missing]);
