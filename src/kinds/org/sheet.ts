import {
  constant,
  fields,
  flag,
  integer,
  link,
  map,
  oneOf,
  openFields,
  optional,
  responseOnly,
  sequence,
  set,
  text,
} from '../../schema/facts/define.ts';
import { grantsLater, guards, keepsHistory, onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { orgStatus } from '../common/answers.ts';
import { governing } from '../common/facts.ts';
import { envelope, portNumber } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';
import { tracing } from '../common/tracing.ts';

const threatDetection = fields({
  enabled: flag(),
  minimumSeverity: optional(oneOf(['warning', 'error', 'critical'])),
  syslog: optional(
    fields({ transport: optional(oneOf(['tcp', 'udp'])), host: optional(text()), port: optional(portNumber()) }),
  ),
});

/** Settings of an org as a whole (platform/org). */
const orgSpec = fields({
  logging: optional(logging()),
  extraLogging: optional(sequence(logging())),
  tracing: optional(tracing()),
  sessionTimeoutSeconds: optional(integer({}, { minimum: 900 })),
  authConfig: optional(
    fields({
      domainAutoMembers: optional(set(text(), grantsLater)),
      samlOnly: optional(flag({ ...constant(false), ...guards })),
    }),
  ),
  observability: optional(
    fields({
      logsRetentionDays: retentionDays(),
      metricsRetentionDays: retentionDays(),
      tracesRetentionDays: retentionDays(),
      defaultAlertEmails: optional(set(text())),
    }),
  ),
  security: optional(fields({ threatDetection: optional(threatDetection) })),
});

/** The scope of all records; it is created and deleted elsewhere, and can be changed (platform/org). */
const orgFields = fields({ ...envelope, status: responseOnly(orgStatus), spec: optional(orgSpec) }, onlyMetadata);

export const org = {
  singular: 'org',
  plural: 'orgs',
  about: 'The organisation that all other records belong to.',
  typeName: 'OrgFields',
  exampleName: 'acme',
  permissions: [
    'edit',
    'exec',
    'exec.echo',
    'grafanaAdmin',
    'manage',
    'readLogs',
    'readMetrics',
    'readUsage',
    'view',
    'viewAccessReport',
  ],
  risks: governing,
  releases: 'all',
  verbs: ['get', 'permissions', 'access-report', 'eventlog', 'audit', 'edit', 'patch', 'update', 'tag'],
  definition: orgFields,
} satisfies Sheet;

/** Additional log targets: one object for each provider; its members are specific to the provider and pass through. */
function logging() {
  return map(openFields({ credentials: optional(link(['secret'], 'hard', { needed: true })) }, { presence: true }));
}

function retentionDays() {
  return optional(integer({ ...constant(30), ...keepsHistory }, { minimum: 0, maximum: 3650 }));
}
