import { type JsonObject, objectAt, own, sameJson, stringAt } from '../../base/json/json.ts';
import { ownProvider } from '../../schema/fields/location.ts';
import { expandLink } from '../../schema/record/links.ts';
import { show } from '../../schema/rules/reading.ts';
import { type RuleOf, ruleGroup, type Subject } from '../../schema/rules/rule.ts';

/** The data of a cloud account, by provider (platform/cloudaccount). */
const dataKeys: ReadonlyMap<string, string> = new Map([
  ['aws', 'roleArn'],
  ['gcp', 'projectId'],
  ['azure', 'secretLink'],
  ['ngs', 'secretLink'],
]);

const accountForm: RuleOf<Subject> = {
  id: 'cloudaccount.data',
  section: 'cloudaccount.data',
  title:
    'A cloud account has the data of its provider: roleArn (aws), ' +
    'projectId (gcp), secretLink (azure, ngs), and no other.',
  severity: 'error',
  fix: 'Set the one field that the provider needs.',
  record({ record }, report) {
    const provider = stringAt(record, 'provider') ?? '';
    const wanted = dataKeys.get(provider);
    if (wanted === undefined) return;
    const values = objectAt(record, 'data');
    if (!Object.hasOwn(values, wanted)) report(['data', wanted], `a cloud account of ${provider} needs ${wanted}`);
    for (const key of new Set(dataKeys.values())) {
      if (key !== wanted && Object.hasOwn(values, key)) {
        report(['data', key], `${key} is not allowed in a cloud account of ${provider}`);
      }
    }
  },
};

const sameAccount: RuleOf<Subject> = {
  id: 'cloudaccount.immutable',
  section: 'cloudaccount.data',
  title: 'Provider and data of a cloud account cannot be changed.',
  severity: 'error',
  fix: 'Delete the cloud account and create another one.',
  change(before, after, report) {
    const [was, is] = [stringAt(before.record, 'provider'), stringAt(after.record, 'provider')];
    if (was !== undefined && was !== is) {
      report(['provider'], `the provider cannot be changed from ${show(was)} to ${show(is)}`);
    } else if (!sameJson(accountData(before), accountData(after)))
      report(['data'], 'the data of a cloud account cannot be changed');
  },
};

/** With links in full, so that another spelling is no change. */
function accountData({ record, context }: Subject): JsonObject {
  const values = objectAt(record, 'data');
  const link = stringAt(values, 'secretLink');
  return link === undefined ? values : { ...values, secretLink: expandLink(link, context) };
}

export const cloudAccountRules = ruleGroup(['cloudaccount'], (subject) => subject, [accountForm, sameAccount]);

const locationProvider: RuleOf<Subject> = {
  id: 'location.provider',
  section: 'location.own',
  title: 'Only self-hosted locations (provider byok) can be created; the provider cannot be changed.',
  severity: 'error',
  fix: 'Set provider: byok, or leave provider out to describe, tag or enable a built-in location.',
  record({ record }, report) {
    const provider = stringAt(record, 'provider');
    if (provider !== undefined && provider !== ownProvider && own(record, 'origin') !== 'builtin') {
      report(['provider'], `a location of the provider ${show(provider)} cannot be created`);
    }
  },
  change(before, after, report) {
    const [was, is] = [stringAt(before.record, 'provider'), stringAt(after.record, 'provider')];
    if (was === undefined || was === is) return;
    const change = is === undefined ? 'removed' : `changed from ${show(was)} to ${show(is)}`;
    report(['provider'], `the provider cannot be ${change}`);
  },
};

/** Manifests of built-in locations leave it out, so only the platform can tell whether it is needed. */
const locationProviderNeeded: RuleOf<Subject> = {
  id: 'location.provider-needed',
  section: 'location.own',
  title: 'A location that is created says its provider.',
  severity: 'error',
  where: 'server',
  fix: 'Set provider: byok.',
  record({ record }, report) {
    if (own(record, 'origin') !== 'builtin' && stringAt(record, 'provider') === undefined) {
      report(['provider'], 'a location that is not built in needs its provider, byok');
    }
  },
};

export const locationRules = ruleGroup(['location'], (subject) => subject, [locationProvider, locationProviderNeeded]);

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

export const builtInPolicyRules = ruleGroup(['policy'], (subject) => subject, [builtInPolicy]);
export const builtInRules = ruleGroup(['serviceaccount', 'auditctx'], (subject) => subject, [builtInRecord]);
