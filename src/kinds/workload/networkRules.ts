import { type JsonObject, numberAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { ipv6Groups } from '../../base/text/ipv6.ts';
import {
  eachRepeated,
  holdsSomething,
  isTrue,
  itemsAt,
  notExactlyOne,
  show,
  textsAt,
} from '../../schema/rules/reading.ts';
import { type RuleOf, ruleGroup } from '../../schema/rules/rule.ts';
import { isRe2, parseCron } from '../common/expressions.ts';
import { type WorkloadView, workloadView } from './workloadView.ts';

const headerFilter: RuleOf<WorkloadView> = {
  id: 'W33',
  section: 'workload.firewall',
  title: 'A header filter has exactly one of allowedValues and blockedValues.',
  severity: 'error',
  fix: 'Leave one of the two lists.',
  record({ spec }, report) {
    const http = objectAt(objectAt(objectAt(spec, 'firewallConfig'), 'external'), 'http');
    for (const { index, value } of itemsAt(http, 'inboundHeaderFilter')) {
      const wrong = notExactlyOne(value, ['allowedValues', 'blockedValues'], holdsSomething);
      if (wrong === undefined) continue;
      const pointer = ['spec', 'firewallConfig', 'external', 'http', 'inboundHeaderFilter', index];
      report(pointer, `the header filter for ${show(own(value, 'key'))} ${wrong}`);
    }
  },
};

const expressions: RuleOf<WorkloadView> = {
  id: 'workload.regex',
  section: 'workload.firewall',
  title: 'dropMetrics, allowedValues and blockedValues hold regular expressions (RE2).',
  severity: 'error',
  fix: 'Write an RE2 expression: without look-around, back references and unknown escapes.',
  record({ spec }, report) {
    function check(object: JsonObject, key: string, pointer: Pointer): void {
      for (const { index, value } of textsAt(object, key)) {
        if (!isRe2(value)) report([...pointer, key, index], `${show(value)} is not a regular expression (RE2)`);
      }
    }
    for (const { index, value } of itemsAt(spec, 'containers')) {
      check(objectAt(value, 'metrics'), 'dropMetrics', ['spec', 'containers', index, 'metrics']);
    }
    const http = objectAt(objectAt(objectAt(spec, 'firewallConfig'), 'external'), 'http');
    for (const { index, value } of itemsAt(http, 'inboundHeaderFilter')) {
      const pointer = ['spec', 'firewallConfig', 'external', 'http', 'inboundHeaderFilter', index];
      for (const key of ['allowedValues', 'blockedValues']) check(value, key, pointer);
    }
  },
};

const headerNames = ['asn', 'city', 'country', 'region'] as const;

const geoHeaders: RuleOf<WorkloadView> = {
  id: 'W35',
  section: 'workload.load-balancer',
  title: 'Geo location needs at least one header; the header names differ.',
  severity: 'error',
  fix: 'Name a header for asn, city, country or region, each its own.',
  record({ spec }, report) {
    const geo = objectAt(objectAt(spec, 'loadBalancer'), 'geoLocation');
    const headers = objectAt(geo, 'headers');
    const named = headerNames.filter((key) => Object.hasOwn(headers, key));
    const at = ['spec', 'loadBalancer', 'geoLocation'];
    if (isTrue(geo, 'enabled') && named.length === 0) report(at, 'geo location needs at least one header');
    eachRepeated(
      named,
      (key) => stringAt(headers, key)?.toLowerCase(),
      (key, name) => report([...at, 'headers', key], `the header ${show(name)} may be named only once`),
    );
  },
};

const blockLists = ['inboundAllowCIDR', 'inboundBlockedCIDR', 'outboundAllowCIDR', 'outboundBlockedCIDR'] as const;

const blocks: RuleOf<WorkloadView> = {
  id: 'workload.cidr',
  section: 'workload.firewall',
  title: 'An entry of a CIDR list is an IPv4 or IPv6 address or block.',
  severity: 'error',
  fix: 'Write an address or a block, such as 10.0.0.0/8 or 2001:db8::/32.',
  record({ spec }, report) {
    const external = objectAt(objectAt(spec, 'firewallConfig'), 'external');
    for (const key of blockLists) {
      for (const { index, value } of textsAt(external, key)) {
        if (isAddressBlock(value)) continue;
        report(
          ['spec', 'firewallConfig', 'external', key, index],
          `${show(value)} is not an IP address or a CIDR block`,
        );
      }
    }
  },
};

const inboundList: RuleOf<WorkloadView> = {
  id: 'workload.inbound-list',
  section: 'workload.firewall',
  title: 'inboundAllowWorkload has an effect with workload-list and same-gvc only.',
  severity: 'warning',
  fix: 'Set internal.inboundAllowType: workload-list.',
  record({ spec }, report) {
    const internal = objectAt(objectAt(spec, 'firewallConfig'), 'internal');
    const type = stringAt(internal, 'inboundAllowType') ?? 'none';
    if ((type === 'none' || type === 'same-org') && holdsSomething(internal, 'inboundAllowWorkload')) {
      const pointer = ['spec', 'firewallConfig', 'internal', 'inboundAllowWorkload'];
      report(pointer, `the list has no effect with inboundAllowType ${show(type)}`);
    }
  },
};

const directPorts: RuleOf<WorkloadView> = {
  id: 'workload.direct-ports',
  section: 'workload.load-balancer',
  title: 'The ports of the direct load balancer differ in number or protocol.',
  severity: 'error',
  comparesItems: true,
  fix: 'Remove one of the two.',
  record({ spec }, report) {
    eachRepeated(
      itemsAt(objectAt(objectAt(spec, 'loadBalancer'), 'direct'), 'ports'),
      ({ value }) => `${numberAt(value, 'externalPort')} ${stringAt(value, 'protocol')}`,
      ({ index }, key) =>
        report(['spec', 'loadBalancer', 'direct', 'ports', index], `the port ${key} may be listed only once`),
    );
  },
};

/** The user that the proxy runs as: its traffic is not intercepted. */
const proxyUser = 1337;

const proxyUserId: RuleOf<WorkloadView> = {
  id: 'workload.proxy-user',
  section: 'workload.security',
  title: `The user ${proxyUser} is that of the proxy: its traffic bypasses it.`,
  severity: 'warning',
  fix: 'Choose another user id.',
  record({ spec }, report) {
    if (numberAt(objectAt(spec, 'securityOptions'), 'runAsUser') === proxyUser) {
      report(
        ['spec', 'securityOptions', 'runAsUser'],
        `runAsUser must not be ${proxyUser}: traffic of that user bypasses the proxy`,
      );
    }
  },
};

const history: RuleOf<WorkloadView> = {
  id: 'cron.history-limit',
  section: 'workload.job',
  title: 'historyLimit is 1 to 10.',
  severity: 'error',
  fix: 'Use a number from 1 to 10.',
  record({ spec }, report) {
    const limit = numberAt(objectAt(spec, 'job'), 'historyLimit');
    if (limit !== undefined && (limit < 1 || limit > 10)) {
      report(['spec', 'job', 'historyLimit'], `historyLimit must be 1 to 10, not ${limit}`);
    }
  },
};

/** Only for users' manifests: the platform stores it and reports the execution `Invalid` (platform/cron.end). */
const schedule: RuleOf<WorkloadView> = {
  id: 'cron.schedule',
  section: 'workload.job',
  title: 'A schedule has five fields: minute, hour, day of month, month, day of week.',
  severity: 'error',
  where: 'offline',
  fix: 'Write five fields, such as "0 2 * * *" for every night at two.',
  record({ spec }, report) {
    const text = stringAt(objectAt(spec, 'job'), 'schedule');
    if (text !== undefined && parseCron(text) === undefined) {
      report(['spec', 'job', 'schedule'], `${show(text)} is not a cron expression`);
    }
  },
};

export const networkRules = ruleGroup(['workload'], workloadView, [
  headerFilter,
  expressions,
  geoHeaders,
  blocks,
  inboundList,
  directPorts,
  proxyUserId,
]);

export const jobRules = ruleGroup(['workload'], workloadView, [history, schedule]);

/** Whether a text is an IPv4 or IPv6 address, or a block of them (`10.0.0.0/8`; platform/concepts.quantities). */
export function isAddressBlock(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  if (rest.length > 0) return false;
  const bits = address.includes(':') ? (ipv6Groups(address) === undefined ? 0 : 128) : isIpv4(address) ? 32 : 0;
  if (bits === 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
}

function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
}
