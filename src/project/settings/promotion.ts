import { converted, described, list, map } from '../../base/form/read.ts';
import { parsePattern, patternExamples } from '../../change/promotion/pattern.ts';
import type { PromotionRules } from '../../change/promotion/promotion.ts';
import { object } from './setting.ts';

const pattern = converted(
  (value) => (typeof value === 'string' ? parsePattern(value) : undefined),
  `a path such as ${patternExamples}`,
  { type: 'string', minLength: 1 },
);

const valuePath = /^values((?:\.[\w-]+)+)$/;

const carried = converted(
  (value) => (typeof value === 'string' ? valuePath.exec(value)?.[1]?.slice(1).split('.') : undefined),
  'the path of a value, such as values.web.tag',
  { type: 'string', pattern: valuePath.source },
);

const members = object(
  {
    'may-differ': described(
      'The differences that gantry promote permits.',
      list(pattern, 'a list such as `[values.replicas]`'),
    ),
    carry: described(
      'The values that gantry promote --write carries over.',
      list(carried, 'a list such as `[values.web.tag]`'),
    ),
  },
  'promotion: {may-differ: [values.replicas]}',
);

export const promotion = map(
  members,
  ({ 'may-differ': mayDiffer = [], carry }): PromotionRules => ({ mayDiffer, carry }),
);
