import { CloudAccount, type Stack } from 'gantry';

/** An account at AWS; `gcp`, `azure` and `ngs` have other data. Identities name it with what they may do there. */
export function addSampleCloudAccount(stack: Stack): CloudAccount {
  return new CloudAccount(stack, 'sample', {
    provider: 'aws',
    data: { roleArn: 'arn:aws:iam::123456789012:role/gantry' },
  });
}
