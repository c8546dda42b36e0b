import type { JsonObject } from '../../../base/json/json.ts';
import { publicDomain } from '../../../schema/facts/hostNames.ts';

export interface AgentFacts {
  readonly id: string;
  readonly link: string;
}

/** `status.bootstrapConfig` of an agent: only in the answer to its creation (platform/agent.bootstrap). */
export function bootstrapConfig({ id, link }: AgentFacts, registrationToken: string): JsonObject {
  return {
    registrationToken,
    agentId: id,
    agentLink: link,
    hubEndpoint: `https://hub.${publicDomain}`,
    protocolVersion: 'v1',
  };
}

/** `-info` of an agent (platform/agent.bootstrap). */
export function agentInfo({ id, link }: AgentFacts): JsonObject {
  return { agentId: id, agentLink: link, protocolVersion: 'v1', connected: false, peers: [] };
}
