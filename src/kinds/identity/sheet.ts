import { governing, usualPermissions } from '../common/facts.ts';
import type { Sheet } from '../common/sheet.ts';
import { identityFields } from './fields.ts';

/** Access of workloads to other systems; its fields are top level (platform/identity). */
export const identity = {
  one: 'identity',
  many: 'identities',
  about: 'Who a workload acts as: what it may do on the platform, at cloud providers and in private networks.',
  className: 'Identity',
  props: 'record',
  typeName: 'IdentityFields',
  usualName: 'backend',
  hasQuota: true,
  /**
   * When it can be deleted, no workload uses it any more (platform/deletion.references), so nothing that runs is
   * affected.
   */
  permissions: [...usualPermissions, 'use'],
  risks: governing,
  actsForWorkloads: true,
  definition: identityFields,
  client: async () => (await import('./client.ts')).identityClient,
} satisfies Sheet;
