import { openFields } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { envelope, inGvc } from './fields.ts';

/** A record of a kind that only its user knows: what every record has, and anything else (`customKinds.ts`). */
export const customRecord = openFields({ ...envelope, ...inGvc }, onlyMetadata);
