import { risks } from '../../schema/facts/risk.ts';
import type { AttributeType, BlockSchema, ScalarAttribute } from '../attribute.ts';

function setting(type: AttributeType, description: string): ScalarAttribute {
  return { type, optional: true, description };
}

const allRisks = risks.map((risk) => `\`${risk}\``).join(', ');

/** The provider block: the platform, the credentials, and what a plan may do. */
export const providerBlock: BlockSchema = {
  version: 0,
  description: 'Where the platform is, with which rights it is used, and what a plan may do there.',
  attributes: {
    endpoint: setting('string', 'Address of the platform. The variable `GANTRY_ENDPOINT`, when omitted.'),
    org: setting('string', 'Org of all resources. The variable `GANTRY_ORG`, when omitted.'),
    gvc: setting('string', 'GVC of resources that name none. The variable `GANTRY_GVC`, when omitted.'),
    token: {
      ...setting('string', 'Token to authenticate with. The variable `GANTRY_TOKEN`, when omitted.'),
      sensitive: true,
    },
    token_file: setting('string', 'File with the token, read anew for each command.'),
    dialect: setting(
      'string',
      'File with the names that this installation uses. The variable `GANTRY_DIALECT`, when omitted.',
    ),
    profile: setting(
      'string',
      'Profile of this user (`gantry profile`) for settings that neither this block nor a variable gives. The variable ' +
        '`GANTRY_PROFILE`, when omitted, and then the default profile.',
    ),
    insecure: setting('bool', 'Accepts any certificate of the platform, for trying it out.'),
    ca_file: setting(
      'string',
      'File with certificates (PEM) of authorities that are trusted beside those of the system and of the variable ' +
        '`NODE_EXTRA_CA_CERTS`.',
    ),
    embedded: setting(
      'string',
      'Folder of an embedded platform, which is started with the provider, for trying it out; in place of `endpoint`.',
    ),
    default_tags: setting(
      ['map', 'string'],
      'Tags of all resources. A resource has another value for a key, or none, when its `tags` say so: `team = null`. ' +
        '`tags_all` of a resource shows all of its tags.',
    ),
    ignore_tags: setting(
      ['set', 'string'],
      'Keys of tags that others write, on all resources: they are in no state, and never removed. `*` at the end stands ' +
        'for anything: `["cost-center", "scanner/*"]`.',
    ),
    max_risk: setting('string', `Refuses every change with a greater risk. From least to greatest: ${allRisks}.`),
    take_over: setting(
      'bool',
      'Takes over what this configuration has created and its state lacks, also where no trace of an apply that was cut ' +
        'off is on this machine. Only for one apply after a pipeline was killed: two resources would manage what another ' +
        'provider block or a resource outside of `-target` has.',
    ),
    consistency_timeout: setting(
      'string',
      'How long a read that is older than a write is repeated, as `30s`. The variable `GANTRY_CONSISTENCY_TIMEOUT`, when ' +
        'omitted, and then `10s`.',
    ),
    max_concurrency: setting('number', 'Requests that are sent at the same time, at most.'),
  },
};
