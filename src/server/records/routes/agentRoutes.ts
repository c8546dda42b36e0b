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
import { accountInstructions, accountProviders } from '../decisions/accountInstructions.ts';
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
