import { constant, fields, keyed, link, oneOf, optional, responseOnly, statedKey } from '../../schema/facts/define.ts';
import { changesEndpoints, onlyMetadata, ownEntrance } from '../../schema/facts/riskFacts.ts';
import { ipSetStatus } from '../common/answers.ts';
import { envelope } from '../common/fields.ts';

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

/** Reserved addresses for a workload or a GVC (platform/ipset). */
export const ipset = fields(
  { ...envelope, status: responseOnly(ipSetStatus), spec: optional(ipSetSpec) },
  changesEndpoints,
);
