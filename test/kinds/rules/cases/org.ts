import type { JsonObject } from '../../../../src/base/json/json.ts';
import { casesOf, other, type RuleCase } from '../ruleCase.ts';

const org = (spec: JsonObject = {}): JsonObject => ({ name: 'acme', spec });
const credentials = { sampling: 10, provider: { tracer: { endpoint: 'a:1', credentials: '//secret/key' } } };

export const orgCases: readonly RuleCase[] = [
  ...['index', 'xserve-1', 'Acme', '1acme', 'acme-', 'a', 'a'.repeat(65)].map((name): RuleCase => {
    return {
      rule: 'org.name',
      it: `the name ${name}`,
      kind: 'org',
      passes: { name: 'a'.repeat(64) },
      fails: { name },
      path: 'name',
    };
  }),
  ...casesOf('org.alert-email', 'org', [
    {
      it: 'a name instead of an address',
      passes: org({ observability: { defaultAlertEmails: ['ann@example.com'] } }),
      fails: org({ observability: { defaultAlertEmails: ['ann@example.com', 'bob'] } }),
      path: 'spec.observability.defaultAlertEmails.1',
    },
  ]),
  ...casesOf('G2', 'org', [
    {
      it: 'tracing of an org without a provider',
      passes: org({ tracing: { sampling: 10, provider: { otel: { endpoint: 'a:1' } } } }),
      fails: org({ tracing: { sampling: 10 } }),
      path: 'spec.tracing.provider',
    },
  ]),
  ...casesOf('S5', 'org', [
    {
      it: 'credentials of another type for the tracing of an org',
      passes: org(),
      fails: org({ tracing: credentials }),
      others: [other('secret', 'key', { type: 'aws' })],
      path: 'spec.tracing.provider.tracer.credentials',
    },
  ]),
  ...casesOf('reference.missing', 'org', [
    {
      it: 'tracing credentials of an org that do not exist (platform/deletion.references)',
      passes: org(),
      fails: org({ tracing: credentials }),
      absent: ['secret/key'],
      path: 'spec.tracing.provider.tracer.credentials',
    },
    {
      it: 'logging credentials of an org that do not exist (platform/deletion.references)',
      passes: org({ logging: { s3: { bucket: 'b' } } }),
      fails: org({ logging: { s3: { bucket: 'b', credentials: '//secret/key' } } }),
      absent: ['secret/key'],
      path: 'spec.logging.s3.credentials',
    },
  ]),
  ...casesOf('tags.count', 'org', [
    {
      it: '51 tags on an org',
      passes: { name: 'acme', tags: {} },
      fails: { name: 'acme', tags: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`t${index}`, 'x'])) },
      path: 'tags',
    },
  ]),
];
