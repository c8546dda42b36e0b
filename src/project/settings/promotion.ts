import { type PromotionPattern, parsePattern, patternExamples } from '../../change/promotion/pattern.ts';
import type { PromotionRules } from '../../change/promotion/promotion.ts';
import type { Setting } from './setting.ts';
import { described, list, object } from './settingForms.ts';

const pattern: Setting<PromotionPattern> = {
  schema: { type: 'string', minLength: 1 },
  read(value, at) {
    const read = typeof value === 'string' ? parsePattern(value) : undefined;
    if (read === undefined) throw at.bad(`must be a path such as ${patternExamples}`);
    return read;
  },
};

const valuePath = /^values((?:\.[\w-]+)+)$/;

const carried: Setting<readonly string[]> = {
  schema: { type: 'string', pattern: valuePath.source },
  read(value, at) {
    const path = typeof value === 'string' ? valuePath.exec(value)?.[1] : undefined;
    if (path === undefined) throw at.bad('must be the path of a value, such as values.web.tag');
    return path.slice(1).split('.');
  },
};

const members = object(
  {
    'may-differ': described('The differences that gantry promote permits.', list(pattern, '[values.replicas]')),
    carry: described('The values that gantry promote --write carries over.', list(carried, '[values.web.tag]')),
  },
  'promotion: {may-differ: [values.replicas]}',
);

export const promotion: Setting<PromotionRules> = {
  schema: members.schema,
  read(value, at) {
    const { 'may-differ': mayDiffer = [], carry } = members.read(value, at);
    return { mayDiffer, carry };
  },
};
