import { present } from '../../base/json/present.ts';
import { UsageError } from '../../base/usageError.ts';
import { type ClientFacts, unlessFile } from '../common/client.ts';

export const cloudaccountClient: ClientFacts = {
  createOptions: [
    unlessFile({ flags: '--provider <name>', about: 'cloud provider', choices: ['aws', 'azure', 'gcp', 'ngs'] }),
    { flags: '--role-arn <arn>', about: 'ARN of the role (aws)' },
    { flags: '--project-id <id>', about: 'project (gcp)' },
    { flags: '--secret <name>', about: 'secret with the credentials (azure, ngs)', names: { kinds: ['secret'] } },
  ],
  create: (options, links) => {
    const provider = options.text('provider');
    if (provider === undefined) {
      throw new UsageError('--provider NAME is missing', 'Give --provider aws, azure, gcp or ngs, or --file FILE.');
    }
    const [roleArn, projectId] = [options.text('roleArn'), options.text('projectId')];
    return { provider, data: present({ roleArn, projectId, secretLink: links.of('secret')[0] }) };
  },
};
