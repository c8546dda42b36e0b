import { fields, responseOnly } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { agentStatus } from '../common/answers.ts';
import { envelope } from '../common/fields.ts';

/** A way into a private network (platform/agent). */
export const agent = fields({ ...envelope, status: responseOnly(agentStatus) }, onlyMetadata);
