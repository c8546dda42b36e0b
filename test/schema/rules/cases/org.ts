import type { JsonObject } from '../../../../src/schema/json/json.ts';
import { other, type RuleCase } from '../ruleCase.ts';

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
  {
    rule: 'org.alert-email',
    it: 'a name where an address is needed',
    kind: 'org',
    passes: org({ observability: { defaultAlertEmails: ['ann@example.com'] } }),
    fails: org({ observability: { defaultAlertEmails: ['ann@example.com', 'bob'] } }),
    path: 'spec.observability.defaultAlertEmails.1',
  },
  {
    rule: 'G2',
    it: 'tracing of an org without a provider',
    kind: 'org',
    passes: org({ tracing: { sampling: 10, provider: { otel: { endpoint: 'a:1' } } } }),
    fails: org({ tracing: { sampling: 10 } }),
    path: 'spec.tracing.provider',
  },
  {
    rule: 'S5',
    it: 'credentials of another type for the tracing of an org',
    kind: 'org',
    passes: org(),
    fails: org({ tracing: credentials }),
    others: [other('secret', 'key', { type: 'aws' })],
    path: 'spec.tracing.provider.tracer.credentials',
  },
  {
    rule: 'reference.missing',
    it: 'tracing credentials of an org that do not exist (platform/deletion.references)',
    kind: 'org',
    passes: org(),
    fails: org({ tracing: credentials }),
    absent: ['secret/key'],
    path: 'spec.tracing.provider.tracer.credentials',
  },
  {
    rule: 'reference.missing',
    it: 'logging credentials of an org that do not exist (platform/deletion.references)',
    kind: 'org',
    passes: org({ logging: { s3: { bucket: 'b' } } }),
    fails: org({ logging: { s3: { bucket: 'b', credentials: '//secret/key' } } }),
    absent: ['secret/key'],
    path: 'spec.logging.s3.credentials',
  },
  {
    rule: 'tags.count',
    it: '51 tags on an org',
    kind: 'org',
    passes: { name: 'acme', tags: {} },
    fails: { name: 'acme', tags: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`t${index}`, 'x'])) },
    path: 'tags',
  },
];
