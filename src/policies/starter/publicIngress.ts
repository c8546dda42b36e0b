import { refOfLink } from '../../../constructs/values/linkable.ts';
import { onceForObject } from '../../base/once.ts';
import { formatRef } from '../../schema/record/ref.ts';
import { isKind, type ManifestOf } from '../model/manifestOf.ts';
import { type PolicyContext, type PolicyProblem, policy } from '../model/policy.ts';
import { opensToAll } from './addresses.ts';

type Domain = ManifestOf<'domain'>;
type DomainPort = NonNullable<NonNullable<Domain['spec']>['ports']>[number];

/** A way to a workload: a port of a domain. */
interface Way {
  readonly domain: string;
  readonly port: DomainPort;
}

const oldVersions: ReadonlySet<unknown> = new Set(['TLSV1_0', 'TLSV1_1']);
/** The ports of a domain that says none (platform/domain.fields). */
const usualPorts: readonly DomainPort[] = [{ number: 443, protocol: 'http2' }];

/** Who lets everybody in does so under a host name of his own, and encrypted. */
export const publicIngress = policy({
  id: 'public-ingress',
  about: 'A workload that everybody may reach has a domain, and every port that leads to it has TLS 1.2 or newer.',
  kind: 'workload',
  resource(workload, context) {
    const blocks = workload.spec.firewallConfig?.external?.inboundAllowCIDR ?? [];
    if (!blocks.some(opensToAll)) return [];
    const path = 'spec.firewallConfig.external.inboundAllowCIDR';
    const ways = waysTo(workload.id, workload.gvc, context);
    if (ways.length === 0) {
      const fix = 'Declare a domain with a route to it, or let in fewer addresses.';
      return [{ message: 'everybody may reach it, and no domain of this stack leads to it', path, fix }];
    }
    return ways.flatMap((way) => faultOf(way, path));
  },
});

function faultOf({ domain, port }: Way, path: string): readonly PolicyProblem[] {
  const { number = 443, protocol = 'http2', tls } = port;
  const name = `port ${number} of ${domain}`;
  const hasTls = protocol !== 'tcp' && (number === 443 || tls !== undefined);
  if (!hasTls) {
    return [{ message: `${name} leads to it without TLS`, path, fix: `Remove the route, or give ${name} TLS.` }];
  }
  if (!oldVersions.has(tls?.minProtocolVersion)) return [];
  const fix = 'Set tls.minProtocolVersion of the port to TLSV1_2 or TLSV1_3.';
  return [{ message: `${name} leads to it with ${tls?.minProtocolVersion}, which is broken`, path, fix }];
}

function waysTo(workload: string, gvc: string | undefined, { resources }: PolicyContext): readonly Way[] {
  return domainsIn(resources).flatMap((domain) => waysOf(domain, workload, gvc));
}

/** The policy is asked about each workload of the same stack. */
const domainsIn = onceForObject((resources: PolicyContext['resources']): readonly Domain[] =>
  resources.filter((each) => isKind(each, 'domain')),
);

function waysOf({ id, spec }: Domain, workload: string, gvc: string | undefined): readonly Way[] {
  const ports = spec?.ports ?? usualPorts;
  const isWhole = leadsTo(spec?.workloadLink, workload) || (gvc !== undefined && leadsTo(spec?.gvcLink, `gvc/${gvc}`));
  return ports
    .filter(({ routes = [] }) => isWhole || routes.some((route) => routeLeadsTo(route, workload)))
    .map((port) => ({ domain: id, port }));
}

function routeLeadsTo(route: NonNullable<DomainPort['routes']>[number], workload: string): boolean {
  const links = [route, ...(route.mirror ?? []), ...(route.canaries ?? [])].map(({ workloadLink }) => workloadLink);
  return links.some((link) => leadsTo(link, workload));
}

function leadsTo(link: string | undefined, id: string): boolean {
  const ref = link === undefined ? undefined : refOfLink(link);
  return ref !== undefined && formatRef(ref) === id;
}
