import { patterns } from '../../base/text/patterns.ts';
import {
  fields,
  freeObject,
  integer,
  keyed,
  link,
  optional,
  proposedKey,
  responseOnly,
  sequence,
  set,
  stored,
  text,
} from '../../schema/facts/define.ts';
import { blocks, exposes, grants, onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { identityStatus } from '../common/answers.ts';
import { governing, usualPermissions } from '../common/facts.ts';
import { envelope, inGvc } from '../common/fields.ts';
import type { Sheet } from '../common/sheet.ts';

const account = { cloudAccountLink: link(['cloudaccount'], 'hard') };

const aws = fields(
  {
    ...account,
    policyRefs: optional(set(text({}, { pattern: patterns.policyRef.pattern }))),
    roleName: optional(text({}, { pattern: patterns.roleName.pattern, maxLength: 64 })),
    trustPolicy: optional(
      fields({ Version: optional(text(stored('2012-10-17'))), Statement: optional(sequence(freeObject())) }),
    ),
  },
  grants,
);

/** The default scope of a Google block (platform/concepts.filled). */
const defaultScope = 'https://www.googleapis.com/auth/cloud-platform';

const gcp = fields(
  {
    ...account,
    scopes: optional(set(text(), stored([defaultScope]))),
    serviceAccount: optional(text({}, { pattern: patterns.serviceAccount.pattern })),
    bindings: optional(
      keyed(
        fields({
          resource: optional(text()),
          roles: set(text({}, { pattern: patterns.role.pattern }), {}, { minItems: 1 }),
        }),
        proposedKey('resource'),
      ),
    ),
  },
  grants,
);

const azure = fields(
  {
    ...account,
    roleAssignments: optional(
      keyed(fields({ scope: optional(text()), roles: set(text(), {}, { minItems: 1 }) }), proposedKey('scope')),
    ),
  },
  grants,
);

const ngs = fields(
  {
    ...account,
    pub: subjects(),
    sub: subjects(),
    resp: optional(
      fields(
        {
          max: optional(integer({ ...stored(1), ...exposes }, { minimum: -1 })),
          ttl: optional(text(exposes, { pattern: patterns.timeToLive.pattern })),
        },
        { presence: true },
      ),
    ),
    // -1 means no limit, so a smaller number may allow more.
    subs: optional(integer({ ...stored(-1), ...exposes })),
    data: optional(integer({ ...stored(-1), ...exposes })),
    payload: optional(integer({ ...stored(-1), ...exposes })),
  },
  grants,
);

const address = patterns.ipv4.pattern;

const networkResource = fields({
  name: text({}, { minLength: 1 }),
  agentLink: optional(link(['agent'], 'hard')),
  IPs: optional(set(text({}, { pattern: address }), {}, { minItems: 1, maxItems: 5 })),
  FQDN: optional(text({ canonical: 'lowercase' })),
  resolverIP: optional(text({}, { pattern: address })),
  ports: ports(),
});

const nativeNetworkResource = fields({
  name: text({}, { minLength: 1 }),
  FQDN: optional(text({ canonical: 'lowercase' })),
  ports: ports(),
  awsPrivateLink: optional(fields({ endpointServiceName: text() })),
  gcpServiceConnect: optional(fields({ targetService: text({}, { pattern: patterns.serviceAttachment.pattern }) })),
});

/** Access of workloads to other systems; its fields are top level (platform/identity). */
const identityFields = fields(
  {
    ...envelope,
    status: responseOnly(identityStatus),
    ...inGvc,
    aws: optional(aws),
    gcp: optional(gcp),
    azure: optional(azure),
    ngs: optional(ngs),
    networkResources: optional(keyed(networkResource, proposedKey('name'), grants, { maxItems: 50 })),
    nativeNetworkResources: optional(keyed(nativeNetworkResource, proposedKey('name'), grants, { maxItems: 50 })),
  },
  onlyMetadata,
);

export const identity = {
  singular: 'identity',
  plural: 'identities',
  about: 'Who a workload acts as: what it may do on the platform, at cloud providers and in private networks.',
  className: 'Identity',
  props: 'record',
  typeName: 'IdentityFields',
  exampleName: 'backend',
  hasQuota: true,
  permissions: [...usualPermissions, 'use'],
  /**
   * It can be deleted only when no workload uses it any more (platform/deletion.references), so no running workload is
   * affected.
   */
  risks: governing,
  actsForWorkloads: true,
  definition: identityFields,
  client: async () => (await import('./client.ts')).identityClient,
} satisfies Sheet;

function subjects() {
  return optional(fields({ allow: optional(set(text())), deny: optional(set(text(), blocks)) }));
}

function ports() {
  return set(
    integer({}, { minimum: 0, maximum: 65_535 }),
    { canonical: 'sortedNumbers' },
    { minItems: 1, maxItems: 10 },
  );
}
