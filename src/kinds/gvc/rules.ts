import { isObject, numberAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import { lastSegment } from '../../schema/record/ref.ts';
import { eachRepeated, holdsSomething, isTrue, itemsAt, show } from '../../schema/rules/reading.ts';
import { type RuleOf, ruleGroup } from '../../schema/rules/rule.ts';
import { checkName, checkSameName } from '../common/envelope.ts';
import { checkEnvironment, environmentFix } from '../common/environment.ts';
import { checkQueryKind, checkTerms, termFix } from '../common/expressions.ts';
import { type GvcView, gvcLocations, gvcView } from './gvcView.ts';

const name: RuleOf<GvcView> = {
  id: 'G1',
  section: 'concepts.names',
  title: 'A GVC name has 3 to 64 lower-case letters, digits and hyphens, begins with a letter, and cannot be changed.',
  severity: 'error',
  fix:
    'Use 3 to 64 lower-case letters, digits and "-", a letter first; to ' +
    'rename, create a new GVC and delete the old one.',
  record: (gvc, report) => checkName(gvc, { of: 'a GVC', whose: 'a GVC name' }, report),
  change: checkSameName,
};

const providers = ['otel', 'tracer', 'controlplane'] as const;

const tracing: RuleOf<GvcView> = {
  id: 'G2',
  section: 'gvc.tracing',
  title: 'Tracing has a sampling rate and exactly one provider.',
  severity: 'error',
  fix: 'Set tracing.sampling (0 to 100) and one of otel, tracer and controlplane in tracing.provider.',
  record({ spec }, report) {
    const value = own(spec, 'tracing');
    if (!isObject(value) || Object.keys(value).length === 0) return;
    const at = ['spec', 'tracing'];
    if (numberAt(value, 'sampling') === undefined) report(at, 'tracing needs a sampling rate');

    const provider = objectAt(value, 'provider');
    const present: string[] = providers.filter((member) => Object.hasOwn(provider, member));
    if (Object.hasOwn(value, 'tracer')) present.push('tracer (outside provider)');
    if (present.length !== 1) {
      const found = present.length === 0 ? 'none' : present.join(' and ');
      report([...at, 'provider'], `tracing must have exactly one provider, and has ${found}`);
    }
  },
};

const locationQuery: RuleOf<GvcView> = {
  id: 'G3',
  section: 'gvc.placement',
  title: 'A term of the location query has exactly one of property, rel and tag; a value unless it asks for existence.',
  severity: 'error',
  fix: termFix,
  record({ placement }, report) {
    const query = own(placement, 'locationQuery');
    if (isObject(query)) checkTerms(query, ['spec', 'staticPlacement', 'locationQuery'], report);
  },
};

const queryKind: RuleOf<GvcView> = {
  id: 'gvc.query-kind',
  section: 'gvc.placement',
  title: 'A location query is about locations.',
  severity: 'error',
  fix: 'Set kind to location, or leave it out.',
  record({ placement }, report) {
    const query = objectAt(placement, 'locationQuery');
    checkQueryKind(query, 'location', ['spec', 'staticPlacement', 'locationQuery'], report);
  },
};

const environment: RuleOf<GvcView> = {
  id: 'G4',
  section: 'gvc.env',
  title: 'Environment variables of a GVC have unique names that the platform does not reserve.',
  severity: 'error',
  fix: environmentFix,
  record({ spec }, report) {
    checkEnvironment(spec, ['spec'], report);
  },
};

const redirect: RuleOf<GvcView> = {
  id: 'G5',
  section: 'gvc.load-balancer',
  title: 'A redirect needs a dedicated load balancer.',
  severity: 'warning',
  fix: 'Set loadBalancer.dedicated: true, or remove loadBalancer.redirect.',
  record({ loadBalancer }, report) {
    if (isTrue(loadBalancer, 'dedicated') || !holdsSomething(objectAt(loadBalancer, 'redirect'), 'class')) return;
    report(['spec', 'loadBalancer', 'redirect'], 'a redirect needs a dedicated load balancer');
  },
};

const redirectAddress: RuleOf<GvcView> = {
  id: 'gvc.redirect-uri',
  section: 'gvc.load-balancer',
  title: 'The redirect for 5xx answers is a URI.',
  severity: 'error',
  fix: 'Write an absolute address such as https://status.example.com.',
  record({ loadBalancer }, report) {
    const address = stringAt(objectAt(objectAt(loadBalancer, 'redirect'), 'class'), 'status5xx');
    if (address !== undefined && !URL.canParse(address)) {
      report(['spec', 'loadBalancer', 'redirect', 'class', 'status5xx'], `${show(address)} is not a URI`);
    }
  },
};

const kedaSecrets: RuleOf<GvcView> = {
  id: 'G6',
  section: 'gvc.keda',
  title: 'Keda secrets need keda.',
  severity: 'error',
  fix: 'Set keda.enabled: true, or remove keda.secrets.',
  record({ keda }, report) {
    if (isTrue(keda, 'enabled') || !holdsSomething(keda, 'secrets')) return;
    report(['spec', 'keda', 'secrets'], 'keda secrets need keda.enabled: true');
  },
};

const sessionTags = ['scheme/sessionCookie', 'scheme/sessionDuration'] as const;

const session: RuleOf<GvcView> = {
  id: 'G7',
  section: 'concepts.tags',
  title: 'The tags for session cookie and session duration are set together.',
  severity: 'error',
  fix: `Set both ${sessionTags.join(' and ')}, or none.`,
  record({ record }, report) {
    const tags = objectAt(record, 'tags');
    const [present, ...more] = sessionTags.filter((key) => Object.hasOwn(tags, key));
    if (present === undefined || more.length > 0) return;
    const other = sessionTags.find((key) => key !== present);
    report(['tags', present], `the tag ${show(present)} needs the tag ${show(other)} too`);
  },
};

const removedLocation: RuleOf<GvcView> = {
  id: 'G8',
  section: 'gvc.placement',
  title: 'Workloads have no options for a location that their GVC does not have.',
  severity: 'warning',
  fix: 'Remove the localOptions of that workload first, or keep the location.',
  related({ context, record: gvc }, related, report) {
    const locations = gvcLocations(gvc);
    if (context.gvc === undefined || locations === undefined) return;
    for (const { ref, record } of related.list('workload', context.gvc)) {
      for (const { value } of itemsAt(objectAt(record, 'spec'), 'localOptions')) {
        const location = stringAt(value, 'location');
        if (location === undefined || locations.has(lastSegment(location))) continue;
        const text =
          `the workload ${show(ref.name)} has options for ` +
          `${show(lastSegment(location))}, which is not a location of this GVC`;
        report(['spec', 'staticPlacement'], text);
      }
    }
  },
};

const locationOptions: RuleOf<GvcView> = {
  id: 'gvc.location-options',
  section: 'gvc.placement',
  title: 'Location options are for locations of the GVC, each once.',
  severity: 'error',
  fix: 'Name each location of locationLinks at most once.',
  record({ record, placement }, report) {
    const options = itemsAt(placement, 'locationOptions');
    const nameOf = (value: string | undefined) => (value === undefined ? undefined : lastSegment(value));
    const pointer = (index: number) => ['spec', 'staticPlacement', 'locationOptions', index];
    const locations = gvcLocations(record);
    if (locations !== undefined) {
      for (const { index, value } of options) {
        const location = nameOf(stringAt(value, 'locationLink'));
        if (location === undefined || locations.has(location)) continue;
        report([...pointer(index), 'locationLink'], `${show(location)} is not among the locationLinks`);
      }
    }
    eachRepeated(
      options,
      ({ value }) => nameOf(stringAt(value, 'locationLink')),
      ({ index }, location) => report(pointer(index), `${show(location)} may have options only once`),
    );
  },
};

export const gvcRules = ruleGroup(['gvc'], gvcView, [
  name,
  locationQuery,
  queryKind,
  environment,
  redirect,
  redirectAddress,
  kedaSecrets,
  session,
  removedLocation,
  locationOptions,
]);

/** The tracing of an org follows the same rules as that of a GVC (platform/gvc.tracing). */
export const tracingRules = ruleGroup(['gvc', 'org'], gvcView, [tracing]);

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
