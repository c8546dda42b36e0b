import { type JsonObject, type JsonValue, numberAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import { eachRepeated, isTrue, itemsAt, show } from '../../schema/rules/reading.ts';
import { type RuleOf, ruleGroup } from '../../schema/rules/rule.ts';
import { isRe2 } from '../common/expressions.ts';
import { checkDirectTarget, type DomainView, domainView, isSameLink, routeTargets } from './domainView.ts';

const oneForm: RuleOf<DomainView> = {
  id: 'D2',
  section: 'domain.routing',
  title: 'A domain routes in one way: spec.gvcLink, spec.workloadLink, or routes.',
  severity: 'error',
  fix: 'Keep one of gvcLink, workloadLink (with its one route per port) and routes.',
  record({ hasGvcLink, workloadLink, ports }, report) {
    if (!hasGvcLink) return;
    if (workloadLink !== undefined) report(['spec', 'gvcLink'], 'gvcLink cannot be combined with workloadLink');
    if (ports.some(({ routes }) => routes.length > 0))
      report(['spec', 'gvcLink'], 'gvcLink cannot be combined with routes');
  },
};

const oneGvc: RuleOf<DomainView> = {
  id: 'D3',
  section: 'domain.routing',
  title: 'All routes, mirrors and canaries of a domain go to workloads of one GVC.',
  severity: 'error',
  fix: 'Route to workloads of one GVC; use another domain for another GVC.',
  record({ routes, context }, report) {
    let first: string | undefined;
    for (const route of routes) {
      for (const { ref, pointer } of routeTargets(route, context)) {
        first ??= ref.gvc;
        if (ref.gvc === first) continue;
        report(
          pointer,
          `the workload ${show(ref.name)} must be in the GVC ${show(first)} as others are, not in ${show(ref.gvc)}`,
        );
      }
    }
  },
};

const direct: RuleOf<DomainView> = {
  id: 'D7',
  section: 'domain.routing',
  title:
    'spec.workloadLink names a stateful workload, every port has one route, to it, and the challenge is not http01.',
  severity: 'error',
  fix: 'Give every port exactly one route to that stateful workload, and use certChallengeType: dns01.',
  record({ workloadLink, ports, challenge, context }, report) {
    if (workloadLink === undefined) return;
    if (challenge === 'http01')
      report(['spec', 'certChallengeType'], 'http01 cannot be combined with spec.workloadLink');
    for (const { routes, pointer, number } of ports) {
      const [only] = routes;
      if (only === undefined || routes.length > 1) {
        report(
          pointer,
          `the port ${number} has ${routes.length} routes; with spec.workloadLink it must have exactly one`,
        );
      } else if (!isSameLink(stringAt(only.value, 'workloadLink'), workloadLink, context)) {
        report([...only.pointer, 'workloadLink'], `the route must go to ${show(workloadLink)}`);
      }
    }
  },
  related: checkDirectTarget,
};

function acceptsMore(view: DomainView): boolean {
  return isTrue(view.spec, 'acceptAllHosts') || isTrue(view.spec, 'acceptAllSubdomains');
}

const hostMatch: RuleOf<DomainView> = {
  id: 'D9',
  section: 'domain.routing',
  title:
    'A route has at most one of hostPrefix and hostRegex, and only where all hosts or all subdomains are accepted.',
  severity: 'error',
  fix: 'Leave one of the two, and set acceptAllHosts or acceptAllSubdomains.',
  record(view, report) {
    for (const { value, pointer } of view.routes) {
      const present = (['hostPrefix', 'hostRegex'] as const).filter((key) => Object.hasOwn(value, key));
      const [first] = present;
      if (first === undefined) continue;
      if (present.length > 1) report(pointer, 'hostPrefix and hostRegex cannot be combined');
      if (!acceptsMore(view))
        report(
          [...pointer, first],
          `a ${first} needs acceptAllHosts or acceptAllSubdomains: the domain accepts its own name only`,
        );
    }
  },
};

function pathOf(route: JsonObject): JsonValue {
  return own(route, 'regex') ?? own(route, 'prefix') ?? '/';
}

const pathMatch: RuleOf<DomainView> = {
  id: 'D10',
  section: 'domain.routing',
  title: 'A route has prefix or regex, not both; no two routes of a port match the same.',
  severity: 'error',
  comparesItems: true,
  fix: 'Leave one of prefix and regex, and one route for each prefix and host.',
  record({ ports }, report) {
    for (const { routes, number } of ports) {
      for (const { value, pointer } of routes) {
        if (Object.hasOwn(value, 'prefix') && Object.hasOwn(value, 'regex')) {
          report(pointer, 'prefix and regex cannot be combined');
        }
      }
      eachRepeated(
        routes,
        ({ value }) =>
          JSON.stringify([
            Object.hasOwn(value, 'regex'),
            pathOf(value),
            own(value, 'hostPrefix'),
            own(value, 'hostRegex'),
          ]),
        ({ value, pointer }) =>
          report(pointer, `two routes of the port ${number} must not match the same (${show(pathOf(value))})`),
      );
    }
  },
};

const prefixPattern = /^\/[-0-9a-zA-Z._~/]*$/;
const hostPrefixPattern = /^[-0-9a-zA-Z._]*$/;

const routeForm: RuleOf<DomainView> = {
  id: 'domain.route-form',
  section: 'domain.routing',
  title:
    'A prefix begins with / and has letters, digits and - . _ ~ only; ' +
    'replacePrefix does not go with regex; a regex can be compiled.',
  severity: 'error',
  fix: 'Write a plain path as prefix, or an RE2 expression as regex (without look-around and back references).',
  record({ routes }, report) {
    for (const { value, pointer } of routes) {
      const prefix = stringAt(value, 'prefix');
      if (prefix !== undefined && !prefixPattern.test(prefix)) {
        report([...pointer, 'prefix'], `${show(prefix)} is not a prefix of a path`);
      }
      const hostPrefix = stringAt(value, 'hostPrefix');
      if (hostPrefix !== undefined && !hostPrefixPattern.test(hostPrefix)) {
        report([...pointer, 'hostPrefix'], `${show(hostPrefix)} is not a prefix of a host name`);
      }
      if (Object.hasOwn(value, 'replacePrefix') && Object.hasOwn(value, 'regex')) {
        report([...pointer, 'replacePrefix'], 'replacePrefix cannot be combined with a regex');
      }
      for (const key of ['regex', 'hostRegex'] as const) {
        const regex = stringAt(value, key);
        if (regex !== undefined && !isRe2(regex))
          report([...pointer, key], `${show(regex)} is not a regular expression (RE2)`);
      }
    }
  },
};

const maxRoutes = 150;
const maxRoutesWithTag = 200;
const routeLimitTag = 'scheme/routeLimitOverride';

const routeCount: RuleOf<DomainView> = {
  id: 'domain.route-count',
  section: 'domain.routing',
  title: `A domain has at most ${maxRoutes} routes (${maxRoutesWithTag} with the tag ${routeLimitTag}).`,
  severity: 'error',
  fix: `Use another domain, or set the tag ${routeLimitTag}.`,
  record({ ports, record }, report) {
    const most = Object.hasOwn(objectAt(record, 'tags'), routeLimitTag) ? maxRoutesWithTag : maxRoutes;
    const count = ports.reduce((sum, { routes }) => sum + routes.length, 0);
    if (count > most) report(['spec', 'ports'], `the domain has ${count} routes, at most ${most} are allowed`);
  },
};

const canaries: RuleOf<DomainView> = {
  id: 'domain.canaries',
  section: 'domain.routing',
  title: 'Canaries are for http and http2, and their weights add up to at most 100.',
  severity: 'error',
  fix: 'Lower the weights, or remove the canaries.',
  record({ routes }, report) {
    for (const { value, pointer, port } of routes) {
      const weights = itemsAt(value, 'canaries').map((canary) => numberAt(canary.value, 'weight') ?? 0);
      if (weights.length === 0) continue;
      const sum = weights.reduce((total, weight) => total + weight, 0);
      if (port.protocol === 'tcp') report([...pointer, 'canaries'], 'a tcp port cannot have canaries');
      if (sum > 100) report([...pointer, 'canaries'], `the weights must add up to at most 100, not ${sum}`);
    }
  },
};

/** The three tokens for values of request headers (platform/domain). */
const tokens: ReadonlySet<string> = new Set([
  '%REQUESTED_SERVER_NAME%',
  '%DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT%',
  '%START_TIME%',
]);

const headerTokens: RuleOf<DomainView> = {
  id: 'domain.header-token',
  section: 'domain.routing',
  title: 'A request header may use three tokens: requested server name, downstream address without port, start time.',
  severity: 'error',
  fix: `Use ${[...tokens].join(', ')}, or plain text ("%%" is a percent sign).`,
  record({ routes }, report) {
    for (const { value, pointer } of routes) {
      const set = objectAt(objectAt(objectAt(value, 'headers'), 'request'), 'set');
      for (const [header, text] of Object.entries(set)) {
        if (typeof text !== 'string') continue;
        for (const [token] of text.matchAll(/%%|%[A-Z][^%]*%/g)) {
          if (token !== '%%' && !tokens.has(token))
            report([...pointer, 'headers', 'request', 'set', header], `${show(token)} is not a token here`);
        }
      }
    }
  },
};

export const routingRules = ruleGroup(['domain'], domainView, [oneForm, oneGvc, direct, hostMatch, pathMatch]);

export const routeRules = ruleGroup(['domain'], domainView, [routeForm, routeCount, canaries, headerTokens]);
