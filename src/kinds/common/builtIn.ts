import { type JsonObject, own, sameJson } from '../../base/json/json.ts';
import { show } from '../../schema/rules/reading.ts';
import { type RuleOf, recordRules, type Subject } from '../../schema/rules/rule.ts';

/** Is it built in and changed? Sending it back unchanged is fine. */
function isBuiltInOther(before: JsonObject, after: JsonObject): boolean {
  return own(before, 'origin') === 'builtin' && !sameJson(before, { ...after, origin: 'builtin' });
}

const builtInPolicy: RuleOf<Subject> = {
  id: 'PO6',
  section: 'concepts.built-in',
  title: 'Built-in policies cannot be changed.',
  severity: 'error',
  fix: 'Create a policy of your own.',
  change({ record }, after, report) {
    if (isBuiltInOther(record, after.record))
      report([], `the built-in policy ${show(own(record, 'name'))} cannot be changed`);
  },
};

const builtInRecord: RuleOf<Subject> = {
  id: 'builtin.immutable',
  section: 'concepts.built-in',
  title: 'The built-in service account and audit context cannot be changed.',
  severity: 'error',
  fix: 'Create one of your own.',
  change({ kind, record }, after, report) {
    if (isBuiltInOther(record, after.record))
      report([], `the built-in ${kind} ${show(own(record, 'name'))} cannot be changed`);
  },
};

/** The rules that the platform answers with a code of its own (platform/concepts.built-in). */
export const builtInRuleIds: ReadonlySet<string> = new Set([builtInPolicy.id, builtInRecord.id]);

export const builtInPolicyRules = recordRules(['policy'], [builtInPolicy]);
export const builtInRules = recordRules(['serviceaccount', 'auditctx'], [builtInRecord]);
