import { creatableKinds, type Kind } from '../../kinds.ts';
import { formatRef } from '../../ref.ts';
import { references } from '../../references.ts';
import { ruleGroup, type RuleOf, type Subject } from '../rule.ts';

const everyKind: readonly Kind[] = creatableKinds;

/** Members of groups have the same rule under their own id, GR3. */
const missing: RuleOf<Subject> = {
  id: 'reference.missing',
  section: 'resources D',
  title: 'What a record needs exists before it.',
  severity: 'error',
  fix: 'Create it first, or declare it in the same stack.',
  related({ kind, record, context }, related, report) {
    if (kind === 'group') return;
    for (const { target, strength, pointer } of references(kind, record, context)) {
      if (strength !== 'hard' && strength !== 'second-step') continue;
      if (related.get(target) === undefined) report(pointer, `${formatRef(target)} does not exist`);
    }
  },
};

export const referenceRules = ruleGroup(everyKind, (subject) => subject, [missing]);
