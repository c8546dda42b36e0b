import { patterns } from '../../base/text/patterns.ts';
import { fields, link, oneOf, optional, responseOnly, text } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { cloudAccountStatus } from '../common/answers.ts';
import { envelope } from '../common/fields.ts';

/** Access to an account at a cloud provider (platform/cloudaccount). A rule checks which member each provider needs. */
export const cloudaccount = fields(
  {
    ...envelope,
    status: responseOnly(cloudAccountStatus),
    provider: oneOf(['aws', 'gcp', 'azure', 'ngs'], { immutable: true }),
    data: fields(
      {
        roleArn: optional(text({}, { pattern: patterns.arn.pattern })),
        projectId: optional(text({}, { minLength: 6, maxLength: 30 })),
        secretLink: optional(link(['secret'], 'hard', { mayBeMissing: true })),
      },
      { immutable: true },
    ),
  },
  onlyMetadata,
);
