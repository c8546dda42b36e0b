import { patterns } from '../../base/text/patterns.ts';
import {
  constant,
  decimal,
  fields,
  flag,
  integer,
  keyed,
  link,
  map,
  oneOf,
  optional,
  proposedKey,
  responseOnly,
  set,
  stored,
  text,
} from '../../schema/facts/define.ts';
import type { FieldFacts } from '../../schema/facts/fieldFacts.ts';
import {
  changesEndpoints,
  grants,
  grantsLater,
  guards,
  guardsByVersion,
  opens,
  opensBeside,
} from '../../schema/facts/riskFacts.ts';
import { domainStatus } from '../common/answers.ts';
import { serving, usualPermissions } from '../common/facts.ts';
import { envelope, portNumber } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';
import { cipherSuites } from './cipherSuites.ts';

const workloadTarget = { workloadLink: link(['workload'], 'soft', { needed: true }), port: optional(portNumber()) };
const byWorkload = { ...proposedKey('workloadLink'), compare: 'lastSegment' } as const;

const route = fields({
  prefix: optional(text({ fill: 'derived', derive: 'routePrefix', stored: true })),
  regex: optional(text()),
  replacePrefix: optional(text()),
  ...workloadTarget,
  workloadLink: link(['workload'], 'soft', { needed: true }, opens),
  hostPrefix: optional(text()),
  hostRegex: optional(text()),
  headers: optional(fields({ request: optional(fields({ set: optional(map(text())) })) })),
  replica: optional(integer({}, { minimum: 0 })),
  mirror: optional(
    keyed(fields({ ...workloadTarget, percent: decimal({}, { minimum: 0, maximum: 100 }) }), byWorkload),
  ),
  canaries: optional(
    keyed(fields({ ...workloadTarget, weight: integer({}, { minimum: 0, maximum: 100 }) }), byWorkload),
  ),
});

const cors = fields(
  {
    allowOrigins: optional(
      keyed(fields({ exact: optional(text(grantsLater)), regex: optional(text(grantsLater)) }), {
        parts: [{ fields: ['exact', 'regex'] }],
        evidence: 'proposed',
      }),
    ),
    allowMethods: optional(set(text())),
    allowHeaders: optional(set(text({ canonical: 'lowercase' }))),
    exposeHeaders: optional(set(text({ canonical: 'lowercase' }))),
    maxAge: optional(text(constant('24h'), { pattern: patterns.maxAge.pattern })),
    allowCredentials: optional(flag({ ...constant(false), ...grantsLater })),
  },
  { presence: true },
);

const tls = fields(
  {
    minProtocolVersion: optional(
      oneOf(['TLSV1_0', 'TLSV1_1', 'TLSV1_2', 'TLSV1_3'], {
        ...guardsByVersion,
        fill: 'constant',
        default: 'TLSV1_2',
        stored: true,
      }),
    ),
    cipherSuites: optional(set(oneOf(cipherSuites.accepted), stored([...cipherSuites.offered]))),
    clientCertificate: optional(certificate(guards)),
    serverCertificate: optional(certificate({})),
  },
  { fill: 'irremovable', derive: 'tls', stored: true, presence: true },
);

const port = fields({
  number: optional(portNumber({ ...stored(443), ...opensBeside })),
  protocol: optional(oneOf(['http', 'http2', 'tcp'], stored('http2'))),
  routes: optional(
    keyed(
      route,
      {
        parts: [
          { fields: ['prefix', 'regex'], otherwise: '/' },
          { fields: ['hostPrefix', 'hostRegex'], optional: true },
        ],
        evidence: 'proposed',
      },
      { canonical: 'routes', sequenceIfAny: ['regex'], shared: true },
    ),
  ),
  cors: optional(cors),
  tls: optional(tls),
});

const domainSpec = fields(
  {
    dnsMode: optional(oneOf(['cname', 'ns'], { fill: 'derived', derive: 'dnsMode', stored: true })),
    gvcLink: optional(link(['gvc'], 'soft', { needed: true }, opens)),
    workloadLink: optional(link(['workload'], 'hard', { needed: true }, opens)),
    certChallengeType: optional(oneOf(['http01', 'dns01'])),
    acceptAllHosts: optional(flag({ ...stored(false), ...grants })),
    acceptAllSubdomains: optional(flag({ ...stored(false), ...grants })),
    ports: optional(
      keyed(
        port,
        { parts: [{ fields: ['number'], otherwise: '443' }], evidence: 'proposed' },
        {
          fill: 'irremovable',
          default: [{ number: 443, protocol: 'http2' }],
          stored: true,
        },
      ),
    ),
  },
  stored({}),
);

/** A host name with the targets of its requests (platform/domain). */
const domainFields = fields(
  { ...envelope, status: responseOnly(domainStatus), spec: optional(domainSpec) },
  changesEndpoints,
);

export const domain = {
  singular: 'domain',
  plural: 'domains',
  about: 'A DNS name that leads to workloads, with its routes and its TLS certificate.',
  className: 'Domain',
  props: 'spec',
  typeName: 'DomainFields',
  exampleName: 'www.example.com',
  hasQuota: true,
  permissions: [...usualPermissions, 'use'],
  risks: serving,
  namedByHost: true,
  releases: ['workload'],
  renaming: { why: 'its name is the host name itself: another name is another domain', allowed: false },
  minimalFields: () => ({ spec: { dnsMode: 'cname', ports: [] } }),
  definition: domainFields,
  client: async () => (await import('./client.ts')).domainClient,
} satisfies Sheet;

function certificate(facts: FieldFacts) {
  return fields({ secretLink: optional(link(['secret'], 'hard')) }, { ...facts, presence: true });
}
