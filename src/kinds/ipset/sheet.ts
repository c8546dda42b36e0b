import { isObject, listAt, own } from '../../base/json/json.ts';
import { constant, fields, keyed, link, oneOf, optional, responseOnly, statedKey } from '../../schema/facts/define.ts';
import { changesEndpoints, onlyMetadata, ownEntrance } from '../../schema/facts/riskFacts.ts';
import { ipSetStatus } from '../common/answers.ts';
import { serving, usualPermissions } from '../common/facts.ts';
import { envelope } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';

const ipSetSpec = fields({
  link: optional(link(['workload', 'gvc'], 'soft')),
  locations: optional(
    keyed(
      fields({
        name: link(['location'], 'hard'),
        retentionPolicy: optional(oneOf(['keep', 'free'], { ...constant('keep'), ...onlyMetadata })),
      }),
      { ...statedKey('name'), compare: 'lastSegment' },
      ownEntrance,
    ),
  ),
});

const definition = fields(
  { ...envelope, status: responseOnly(ipSetStatus), spec: optional(ipSetSpec) },
  changesEndpoints,
);

/** Reserved addresses for a workload or a GVC (platform/ipset). */
export const ipset = {
  singular: 'IP set',
  plural: 'IP sets',
  about: 'Public IP addresses that are reserved for a workload or a GVC.',
  className: 'IpSet',
  props: 'spec',
  typeName: 'IpSetFields',
  exampleName: 'outgoing',
  hasQuota: true,
  permissions: usualPermissions,
  /** Its addresses are released, and may be assigned elsewhere. */
  risks: serving,
  boundByMutualLink: true,
  holdsAddresses: true,
  renaming: { why: 'its addresses would be released, and the new one would get other addresses', allowed: true },
  stillInUse: (status) => (listAt(status, 'ipAddresses').some(isBound) ? 'its addresses to be released' : undefined),
  definition,
  client: async () => (await import('./client.ts')).ipsetClient,
} satisfies Sheet;

function isBound(address: unknown): boolean {
  return isObject(address) && own(address, 'state') === 'bound';
}
