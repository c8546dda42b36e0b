import { own, stringAt } from '../../base/json/json.ts';
import { show } from '../../schema/rules/reading.ts';
import { type RuleOf, recordRules, type Subject } from '../../schema/rules/rule.ts';
import { ownProvider } from './sheet.ts';

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

/** Manifests of built-in locations omit it, so only the platform knows whether it is needed. */
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

export const locationRules = recordRules(['location'], [locationProvider, locationProviderNeeded]);
