import { fields, responseOnly } from '../../schema/facts/define.ts';
import { onlyMetadata } from '../../schema/facts/riskFacts.ts';
import { shown } from '../common/answers.ts';
import { envelope } from '../common/fields.ts';

/** An image of the own registry, `repository:tag`; it comes by a push only (platform/image). */
export const image = fields(
  {
    ...envelope,
    repository: responseOnly(shown.text),
    tag: responseOnly(shown.text),
    digest: responseOnly(shown.text),
    manifest: responseOnly(),
  },
  onlyMetadata,
);
