import { objectAt, own, stringAt } from '../../base/json/json.ts';
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
import { isRe2 } from '../common/expressions.ts';
import { cipherSuites } from './cipherSuites.ts';
import { checkDedicated, type DomainView, domainView, isApex, isHostName, type PortView } from './domainView.ts';

const name: RuleOf<DomainView> = {
  id: 'name.domain',
  section: 'concepts.names',
  title: 'A domain is a fully qualified host name in lower case, up to 253 characters, 63 a label.',
  severity: 'error',
  fix: 'Write a name such as www.example.com.',
  record({ name }, report) {
    if (name !== '' && !isHostName(name)) report(['name'], `${show(name)} is not a host name`);
  },
};

const apexMode: RuleOf<DomainView> = {
  id: 'D4',
  section: 'domain.names',
  title: 'An apex domain has the DNS mode cname.',
  severity: 'error',
  fix: 'Set dnsMode: cname, or use a subdomain.',
  record({ dnsMode, name }, report) {
    if (dnsMode === 'ns' && isHostName(name) && isApex(name)) {
      report(['spec', 'dnsMode'], `${show(name)} is an apex domain; its DNS mode cannot be ns`);
    }
  },
};

const nsChallenge: RuleOf<DomainView> = {
  id: 'D5',
  section: 'domain.tls',
  title: 'The DNS mode ns cannot be combined with the challenge http01.',
  severity: 'error',
  fix: 'Use certChallengeType: dns01, or leave it out.',
  record({ dnsMode, challenge }, report) {
    if (dnsMode === 'ns' && challenge === 'http01') {
      report(['spec', 'certChallengeType'], 'the DNS mode ns cannot be combined with http01');
    }
  },
};

function lacksCertificate({ value, endsTls }: PortView): boolean {
  const certificate = objectAt(objectAt(value, 'tls'), 'serverCertificate');
  return endsTls && stringAt(certificate, 'secretLink') === undefined;
}

const certificateOfGvcDomain: RuleOf<DomainView> = {
  id: 'D6',
  section: 'domain.tls',
  title: 'cname with gvcLink and http01 (or no challenge): every TLS port has its own server certificate.',
  severity: 'error',
  fix: 'Set tls.serverCertificate.secretLink on each TLS port, or use dns01, or the DNS mode ns.',
  record({ dnsMode, hasGvcLink, challenge, ports }, report) {
    if (dnsMode !== 'cname' || !hasGvcLink || (challenge ?? 'http01') !== 'http01') return;
    for (const port of ports) {
      if (lacksCertificate(port)) report(port.pointer, `the port ${port.number} needs a server certificate`);
    }
  },
};

const acceptAll: RuleOf<DomainView> = {
  id: 'D8',
  section: 'domain.routing',
  title:
    'A domain accepts all hosts or all subdomains, not both, and needs a dedicated load balancer in its GVC for that.',
  severity: 'warning',
  fix: 'Leave one of acceptAllHosts and acceptAllSubdomains, and set spec.loadBalancer.dedicated: true in the GVC.',
  record({ spec }, report) {
    if (isTrue(spec, 'acceptAllHosts') && isTrue(spec, 'acceptAllSubdomains')) {
      report(['spec', 'acceptAllHosts'], 'acceptAllHosts and acceptAllSubdomains cannot be combined');
    }
  },
  related: checkDedicated,
};

const ports: RuleOf<DomainView> = {
  id: 'D12',
  section: 'domain.routing',
  title: 'A domain has at most 10 ports, with different numbers.',
  severity: 'error',
  comparesItems: true,
  fix: 'Give each port a number of its own, and at most 10 of them.',
  record({ ports }, report) {
    if (ports.length > 10) report(['spec', 'ports'], `the domain has ${ports.length} ports, at most 10 are allowed`);
    eachRepeated(
      ports,
      ({ number }) => String(number),
      ({ pointer }, number) => report(pointer, `two ports must not have the same number (${number})`),
    );
  },
};

const origins: RuleOf<DomainView> = {
  id: 'D13',
  section: 'domain.tls',
  title: 'An item of allowOrigins has exactly one of exact and regex, and the regex can be compiled (RE2).',
  severity: 'error',
  fix: 'Leave one of the two; write an RE2 expression, without look-around and back references.',
  record({ ports }, report) {
    for (const { value, pointer } of ports) {
      for (const { index, value: origin } of itemsAt(objectAt(value, 'cors'), 'allowOrigins')) {
        const place = [...pointer, 'cors', 'allowOrigins', index];
        const wrong = notExactlyOne(origin, ['exact', 'regex']);
        const regex = stringAt(origin, 'regex');
        if (regex !== undefined && !isRe2(regex)) {
          report([...place, 'regex'], `${show(regex)} is not a regular expression (RE2)`);
        }
        if (wrong !== undefined) report(place, `an origin ${wrong}`);
      }
    }
  },
};

const internal: RuleOf<DomainView> = {
  id: 'D17',
  section: 'domain.names',
  title: 'A name under .internal: cname, no gvcLink, no challenge, a server certificate on every TLS port.',
  severity: 'error',
  fix: 'Use dnsMode: cname, remove gvcLink and certChallengeType, and set tls.serverCertificate on each TLS port.',
  record({ name, dnsMode, hasGvcLink, challenge, ports }, report) {
    if (!name.endsWith('.internal')) return;
    if (dnsMode !== 'cname' && !hasGvcLink)
      report(['spec', 'dnsMode'], `${show(name)} cannot have the DNS mode ${dnsMode}`);
    if (hasGvcLink) report(['spec', 'gvcLink'], `${show(name)} cannot have a gvcLink`);
    if (challenge !== undefined) report(['spec', 'certChallengeType'], `${show(name)} cannot have a challenge`);
    for (const port of ports) {
      if (lacksCertificate(port)) report(port.pointer, `the port ${port.number} needs a server certificate`);
    }
  },
};

const offered: ReadonlySet<string> = new Set(cipherSuites.offered);

const suites: RuleOf<DomainView> = {
  id: 'domain.cipher-suites',
  section: 'domain.tls',
  title: 'The cipher suites are among the 8 that the platform offers.',
  severity: 'error',
  lenient: true,
  fix: `Use ${cipherSuites.offered.join(', ')}.`,
  record({ ports }, report) {
    for (const { value, pointer } of ports) {
      for (const { index, value: suite } of textsAt(objectAt(value, 'tls'), 'cipherSuites')) {
        if (!offered.has(suite))
          report([...pointer, 'tls', 'cipherSuites', index], `the cipher suite ${show(suite)} is not offered`);
      }
    }
  },
};

const tlsOnTcp: RuleOf<DomainView> = {
  id: 'domain.tls-on-tcp',
  section: 'domain.tls',
  title: 'TLS settings have no effect on a tcp port.',
  severity: 'warning',
  fix: 'Remove tls from the port.',
  record({ ports }, report) {
    for (const { value, pointer, protocol } of ports) {
      if (protocol === 'tcp' && holdsSomething(value, 'tls') && own(value, 'tls') !== null) {
        report([...pointer, 'tls'], 'tls has no effect on a tcp port');
      }
    }
  },
};

export const hostRules = ruleGroup(['domain'], domainView, [
  name,
  apexMode,
  nsChallenge,
  certificateOfGvcDomain,
  acceptAll,
  ports,
  origins,
  internal,
  suites,
  tlsOnTcp,
]);
