import { publicDomain } from '../../decisions.ts';
import type { JsonObject } from '../../../schema/json.ts';

export interface AgentFacts {
  readonly id: string;
  readonly link: string;
}

/** `status.bootstrapConfig` of an agent; its token is in the answer to the creation only (resources B14). */
export function bootstrapConfig({ id, link }: AgentFacts, registrationToken?: string): JsonObject {
  return {
    ...(registrationToken === undefined ? {} : { registrationToken }),
    agentId: id,
    agentLink: link,
    hubEndpoint: `https://hub.${publicDomain}`,
    protocolVersion: 'v1',
  };
}

/** `-info` of an agent (protocol 2.2; decision `agentsNeverConnect`). */
export function agentInfo({ id, link }: AgentFacts): JsonObject {
  return { agentId: id, agentLink: link, protocolVersion: 'v1', connected: false, peers: [] };
}
