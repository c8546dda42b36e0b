import { governing } from '../common/facts.ts';
import type { Sheet } from '../common/sheet.ts';
import { orgFields } from './fields.ts';

/** The scope of everything; it is made and deleted elsewhere, and can be changed (platform/org). */
export const org = {
  one: 'org',
  many: 'orgs',
  about: 'The organisation that all other records belong to.',
  typeName: 'OrgFields',
  usualName: 'acme',
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
