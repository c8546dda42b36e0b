import { type Published, typed } from '../common/words.ts';

export const published: Published = {
  types: {
    CloudAccountFields: {
      about: 'Access to an account at a cloud provider.',
      section: 'cloudaccount.data',
      fields: {
        provider: 'Cloud provider. It cannot be changed.',
        data: typed('CloudAccountData', 'Account at the provider. A change replaces the cloud account.'),
      },
    },
    CloudAccountData: {
      about: 'An account at a cloud provider. Each provider has one of the members.',
      section: 'cloudaccount.data',
      fields: {
        roleArn: 'Provider `aws`: ARN of the role that the platform assumes.',
        projectId: 'Provider `gcp`: id of the project.',
        secretLink: 'Provider `azure`: secret of the type `azure-connector`; `ngs`: one of the type `nats-account`.',
      },
    },
  },
  example: {
    name: 'aws-production',
    description: 'Buckets of the shop',
    provider: 'aws',
    data: { roleArn: 'arn:aws:iam::123456789012:role/workloads' },
  },
};
