import type { RecordContext } from '../../context.ts';
import type { JsonObject } from '../../json.ts';
import { creatableKinds, type Kind } from '../../kinds.ts';
import { formatRef } from '../../ref.ts';
import { type Reference, references } from '../../references.ts';
import { ruleGroup, type RuleOf, type Subject } from '../rule.ts';

const everyKind: readonly Kind[] = creatableKinds;

const found = new WeakMap<JsonObject, { readonly context: RecordContext; readonly references: readonly Reference[] }>();

/** The references of a record, found once for all the rules that look at them. */
export function referencesOf({ kind, record, context }: Subject): readonly Reference[] {
  const known = found.get(record);
  if (known?.context.org === context.org && known.context.gvc === context.gvc) return known.references;
  const made = references(kind, record, context);
  found.set(record, { context, references: made });
  return made;
}

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

export const referenceRules = ruleGroup(everyKind, (subject) => subject, [missing]);
