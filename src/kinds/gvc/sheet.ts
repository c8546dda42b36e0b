import { type Sheet, serving, usualPermissions } from '../common/sheet.ts';
import { gvcFields } from './fields.ts';

/** Global virtual cloud (platform/gvc). */
export const gvc = {
  one: 'GVC',
  many: 'GVCs',
  about: 'A global virtual cloud: a set of locations, and the settings that its workloads share.',
  className: 'Gvc',
  typeName: 'GvcFields',
  usualName: 'main',
  hasQuota: true,
  /** Its content is deleted with it, endpoints included; volume sets in it are changes of their own. */
  permissions: [...usualPermissions, 'configureLoadBalancer'],
  risks: serving,
  definition: gvcFields,
} satisfies Sheet;
