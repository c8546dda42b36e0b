import { isObject, type JsonObject, objectAt, own, stringAt } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { parseLink } from '../../schema/record/ref.ts';
import { eachRepeated, holdsSomething, itemsAt, notExactlyOne, show } from '../../schema/rules/reading.ts';
import { known, type Report, type RuleOf, recordRules, type Subject } from '../../schema/rules/rule.ts';

function checkPair(owner: JsonObject, keys: readonly [string, string], at: Pointer, report: Report): void {
  if (keys.every((key) => holdsSomething(owner, key))) report(at, `${keys.join(' and ')} cannot be combined`);
}

const pairs: RuleOf<Subject> = {
  id: 'I1',
  section: 'identity.blocks',
  title:
    'aws has policyRefs or roleName, and no trustPolicy with a roleName; gcp has serviceAccount ' +
    'or bindings; a native resource has awsPrivateLink or gcpServiceConnect.',
  severity: 'error',
  fix: 'Remove one of the two.',
  record({ record }, report) {
    checkPair(objectAt(record, 'aws'), ['policyRefs', 'roleName'], ['aws'], report);
    checkPair(objectAt(record, 'aws'), ['trustPolicy', 'roleName'], ['aws'], report);
    checkPair(objectAt(record, 'gcp'), ['serviceAccount', 'bindings'], ['gcp'], report);
    for (const { index, value } of itemsAt(record, 'nativeNetworkResources')) {
      const wrong = notExactlyOne(value, ['awsPrivateLink', 'gcpServiceConnect']);
      if (wrong !== undefined) report(['nativeNetworkResources', index], `a native resource ${wrong}`);
    }
  },
};

const lists = ['networkResources', 'nativeNetworkResources'] as const;

interface Resource {
  readonly value: JsonObject;
  readonly pointer: Pointer;
}

function resourcesOf(record: JsonObject): readonly Resource[] {
  return lists.flatMap((list) => itemsAt(record, list).map(({ index, value }) => ({ value, pointer: [list, index] })));
}

const uniqueNames: RuleOf<Subject> = {
  id: 'I3',
  section: 'identity.networks',
  title: 'Names and FQDNs of network resources are unique over both lists, and no name is an FQDN of another.',
  severity: 'error',
  fix: 'Use a different name and FQDN for each network resource.',
  record({ record }, report) {
    const resources = resourcesOf(record);
    if (resources.length === 0) return;
    const fqdnOf = ({ value }: Resource) => stringAt(value, 'FQDN')?.toLowerCase();
    eachRepeated(
      resources,
      ({ value }) => stringAt(value, 'name'),
      ({ pointer }, name) =>
        report([...pointer, 'name'], `network resources must not have the same name (${show(name)})`),
    );
    eachRepeated(resources, fqdnOf, ({ pointer }, fqdn) =>
      report([...pointer, 'FQDN'], `network resources must not have the same FQDN (${show(fqdn)})`),
    );
    const fqdns = new Set(resources.map(fqdnOf));
    for (const { value, pointer } of resources) {
      const name = stringAt(value, 'name');
      if (name !== undefined && fqdns.has(name.toLowerCase())) {
        report([...pointer, 'name'], `the name ${show(name)} must not be an FQDN of a network resource`);
      }
    }
  },
};

const addresses: RuleOf<Subject> = {
  id: 'I4',
  section: 'identity.networks',
  title: 'A network resource has exactly one of IPs and FQDN.',
  severity: 'error',
  fix: 'Remove one of the two.',
  record({ record }, report) {
    for (const { index, value } of itemsAt(record, 'networkResources')) {
      const wrong = notExactlyOne(value, ['IPs', 'FQDN'], holdsSomething);
      if (wrong === undefined) continue;
      report(['networkResources', index], `the network resource ${show(own(value, 'name'))} ${wrong}`);
    }
  },
};

const providers = ['aws', 'gcp', 'azure', 'ngs'] as const;

const accounts: RuleOf<Subject> = {
  id: 'I5',
  section: 'identity.blocks',
  title: 'The cloud account of a block is of the same provider.',
  severity: 'error',
  fix: 'Link to a cloud account of that provider.',
  related({ record, context }, related, report) {
    for (const provider of providers) {
      const block = own(record, provider);
      const link = isObject(block) ? stringAt(block, 'cloudAccountLink') : undefined;
      const ref = link === undefined ? undefined : parseLink(link, context)?.ref;
      if (ref?.kind !== 'cloudaccount') continue;
      const account = known(related.get(ref));
      const actual = account === undefined ? undefined : stringAt(account, 'provider');
      if (actual !== undefined && actual !== provider) {
        report(
          [provider, 'cloudAccountLink'],
          `the cloud account ${show(ref.name)} must be of the provider ${show(provider)}, not ${show(actual)}`,
        );
      }
    }
  },
};

export const identityRules = recordRules(['identity'], [pairs, uniqueNames, addresses, accounts]);
