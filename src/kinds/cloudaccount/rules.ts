import { type JsonObject, objectAt, sameJson, stringAt } from '../../base/json/json.ts';
import { expandLink } from '../../schema/record/ref.ts';
import { show } from '../../schema/rules/reading.ts';
import { type RuleOf, recordRules, type Subject } from '../../schema/rules/rule.ts';

/** The data key of a cloud account, by provider (platform/cloudaccount). */
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

/** The data with full links, so that another spelling is not a change. */
function accountData({ record, context }: Subject): JsonObject {
  const values = objectAt(record, 'data');
  const link = stringAt(values, 'secretLink');
  return link === undefined ? values : { ...values, secretLink: expandLink(link, context) };
}

export const cloudAccountRules = recordRules(['cloudaccount'], [accountForm, sameAccount]);
