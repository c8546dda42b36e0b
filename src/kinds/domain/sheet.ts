import { type Sheet, serving, usualPermissions } from '../common/sheet.ts';
import { domainFields } from './fields.ts';

/** A host name and where its requests go (platform/domain). */
export const domain = {
  one: 'domain',
  many: 'domains',
  about: 'A DNS name that leads to workloads, with its routes and its TLS certificate.',
  className: 'Domain',
  typeName: 'DomainFields',
  usualName: 'www.example.com',
  hasQuota: true,
  permissions: [...usualPermissions, 'use'],
  risks: serving,
  namedByHost: true,
  releases: ['workload'],
  definition: domainFields,
} satisfies Sheet;
