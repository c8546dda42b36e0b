import type { JsonObject } from '../../../base/json/json.ts';

const steps: Readonly<Record<string, readonly string[]>> = {
  aws: [
    'Create an IAM role that the platform may assume, with the permissions that identities are to get.',
    'Create the cloud account with provider: aws and data: {roleArn: <the ARN of the role>}.',
  ],
  gcp: [
    'Let the service account of the platform administer the project that identities are to work in.',
    'Create the cloud account with provider: gcp and data: {projectId: <the id of the project>}.',
  ],
  azure: [
    'Deploy the connector function in the subscription that identities are to work in.',
    'Create a secret of the type azure-connector with its url and code.',
    'Create the cloud account with provider: azure and data: {secretLink: <the link of the secret>}.',
  ],
  ngs: [
    'Create a secret of the type nats-account with accountId and privateKey.',
    'Create the cloud account with provider: ngs and data: {secretLink: <the link of the secret>}.',
  ],
};

export const accountProviders: readonly string[] = Object.keys(steps);

/**
 * The steps at a provider before its cloud account is created (platform/wire.paths, platform/cloudaccount). Undefined:
 * unknown provider.
 */
export function accountInstructions(provider: string): JsonObject | undefined {
  const found = Object.hasOwn(steps, provider) ? steps[provider] : undefined;
  return found === undefined ? undefined : { provider, instructions: [...found] };
}
