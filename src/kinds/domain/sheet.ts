import { serving, usualPermissions } from '../common/facts.ts';
import type { Sheet } from '../common/sheet.ts';
import { domainFields } from './fields.ts';

/** A host name and where its requests go (platform/domain). */
export const domain = {
  one: 'domain',
  many: 'domains',
  about: 'A DNS name that leads to workloads, with its routes and its TLS certificate.',
  className: 'Domain',
  props: 'spec',
  typeName: 'DomainFields',
  usualName: 'www.example.com',
  hasQuota: true,
  permissions: [...usualPermissions, 'use'],
  risks: serving,
  namedByHost: true,
  releases: ['workload'],
  renaming: { why: 'its name is the host name itself: another name is another domain', allowed: false },
  least: () => ({ spec: { dnsMode: 'cname', ports: [] } }),
  definition: domainFields,
  client: async () => (await import('./client.ts')).domainClient,
} satisfies Sheet;
