import { serving, usualPermissions } from '../common/facts.ts';
import type { Sheet } from '../common/sheet.ts';
import { gvcFields } from './fields.ts';

/** Global virtual cloud (platform/gvc). */
export const gvc = {
  one: 'GVC',
  many: 'GVCs',
  about: 'A global virtual cloud: a set of locations, and the settings that its workloads share.',
  className: 'Gvc',
  props: 'spec',
  typeName: 'GvcFields',
  usualName: 'main',
  hasQuota: true,
  /** Its content is deleted with it, endpoints included; volume sets in it are changes of their own. */
  permissions: [...usualPermissions, 'configureLoadBalancer'],
  risks: serving,
  /** Deleting a GVC deletes everything in it (platform/deletion.cascade). */
  renaming: { why: 'everything in it would be created anew, and the content of the old one deleted', allowed: true },
  definition: gvcFields,
  client: async () => (await import('./client.ts')).gvcClient,
} satisfies Sheet;
