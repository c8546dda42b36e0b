import type { JsonObject } from '../../../base/json/json.ts';
import { available } from '../../../base/text/suggestion.ts';
import { linkOf } from '../../../schema/record/ref.ts';
import { permittedRow } from '../../access/permissions.ts';
import { readIn } from '../../core/session.ts';
import { ApiFailure } from '../../http/apiFailure.ts';
import { callRef } from '../../http/dispatch/callRef.ts';
import { itemTemplate, orgTemplate } from '../../http/dispatch/kindPaths.ts';
import type { Route } from '../../http/dispatch/route.ts';
import { reply } from '../../http/message.ts';
import { refOfRow } from '../../store/model/row.ts';
import { agentInfo } from '../decisions/bootstrapConfig.ts';

/** Routes of agents and cloud accounts other than those of every kind (platform/wire.paths). */
export const agentRoutes: readonly Route[] = [
  {
    id: 'agent.info',
    method: 'GET',
    path: `${itemTemplate('agent')}/-info`,
    summary: 'Read facts of a running agent',
    kind: 'agent',
    permission: 'view',
    answer: { type: 'object' },
    handle: (call) =>
      readIn(call, (session) => {
        const row = permittedRow(session, 'view', callRef(call, 'agent'));
        return reply(200, agentInfo({ id: row.uid, link: linkOf(refOfRow(row), session.platform.org) }));
      }),
  },
  {
    id: 'cloudaccount.instructions',
    method: 'GET',
    path: `${orgTemplate('cloudaccount')}/-instructions/{provider}`,
    summary: 'Read what to do at a provider before its cloud account is created',
    kind: 'cloudaccount',
    permission: 'token',
    answer: {
      type: 'object',
      properties: { provider: { type: 'string' }, instructions: { type: 'array', items: { type: 'string' } } },
    },
    handle({ params }) {
      const { provider = '' } = params;
      const found = accountInstructions(provider);
      if (found !== undefined) return reply(200, found);
      throw new ApiFailure(400, `there is no provider ${JSON.stringify(provider)}. ${available(accountProviders)}`);
    },
  },
];

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

const accountProviders: readonly string[] = Object.keys(steps);

/**
 * The steps at a provider before its cloud account is created (platform/wire.paths, platform/cloudaccount). Undefined:
 * unknown provider.
 */
function accountInstructions(provider: string): JsonObject | undefined {
  const found = Object.hasOwn(steps, provider) ? steps[provider] : undefined;
  return found === undefined ? undefined : { provider, instructions: [...found] };
}
