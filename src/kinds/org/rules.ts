import { objectAt, stringAt } from '../../base/json/json.ts';
import { show, textsAt } from '../../schema/rules/reading.ts';
import { type RuleOf, recordRules, type Subject } from '../../schema/rules/rule.ts';
import { namePattern } from '../common/envelope.ts';

/** Why a text cannot be the name of an org (platform/concepts.names); undefined if it can. */
export function orgNameProblem(name: string): string | undefined {
  if (!namePattern.test(name)) return `${show(name)} is not a valid name for an org`;
  if (name.length > 64) return `${show(name)} has ${name.length} characters; a name of an org has at most 64`;
  return name === 'index' || name.startsWith('xserve-') ? `the name ${show(name)} is reserved` : undefined;
}

const name: RuleOf<Subject> = {
  id: 'org.name',
  section: 'concepts.names',
  title: 'An org name has 2 to 64 lower-case letters, digits and hyphens, begins with a letter, and is not reserved.',
  severity: 'error',
  fix: 'Use lower-case letters, digits and "-", a letter first; neither "index" nor a name that begins with "xserve-".',
  record({ record }, report) {
    const problem = orgNameProblem(stringAt(record, 'name') ?? '');
    if (problem !== undefined) report(['name'], problem);
  },
};

const emailAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const alertEmails: RuleOf<Subject> = {
  id: 'org.alert-email',
  section: 'org.life',
  title: 'Alerts go to e-mail addresses.',
  severity: 'error',
  fix: 'Write addresses such as ann@example.com.',
  record({ record }, report) {
    for (const { index, value } of textsAt(objectAt(objectAt(record, 'spec'), 'observability'), 'defaultAlertEmails')) {
      if (!emailAddress.test(value)) {
        report(['spec', 'observability', 'defaultAlertEmails', index], `${show(value)} is not an e-mail address`);
      }
    }
  },
};

export const orgRules = recordRules(['org'], [name, alertEmails]);
