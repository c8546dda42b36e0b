import { objectAt } from '../../base/json/json.ts';
import { type RuleOf, ruleGroup } from '../../schema/rules/rule.ts';
import { type GvcView, gvcView } from './gvcView.ts';

const domain: RuleOf<GvcView> = {
  id: 'deprecated.gvc-domain',
  section: 'gvc.alias',
  title: 'The domain of a GVC is deprecated: use a domain resource.',
  severity: 'warning',
  where: 'offline',
  fix: 'Declare a resource of the kind domain with spec.gvcLink.',
  record({ spec }, report) {
    if (Object.hasOwn(spec, 'domain')) report(['spec', 'domain'], 'the domain of a GVC is deprecated');
  },
};

const tracer: RuleOf<GvcView> = {
  id: 'deprecated.gvc-tracer',
  section: 'gvc.tracing',
  title: 'The tracer outside of tracing.provider is deprecated.',
  severity: 'warning',
  where: 'offline',
  fix: 'Move it into tracing.provider.',
  record({ spec }, report) {
    if (Object.hasOwn(objectAt(spec, 'tracing'), 'tracer')) {
      report(['spec', 'tracing', 'tracer'], 'the tracer outside of tracing.provider is deprecated');
    }
  },
};

export const deprecatedGvcRules = ruleGroup(['gvc'], gvcView, [domain, tracer]);
