import { refOfLink } from '../../../constructs/linkable.ts';
import { onceForObject } from '../../base/once.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import { formatRef } from '../../schema/record/ref.ts';
import { isKind, type ManifestOf, masked } from './manifestOf.ts';
import { type Policy, type PolicyContext, type PolicyProblem, policy } from './policy.ts';

/** The platform itself refuses to delete protected records. */
const dataProtected = policy({
  id: 'data-protected',
  about: 'Every volume set is protected from deletion.',
  kind: 'volumeset',
  resource({ lifecycle }) {
    if (lifecycle?.protect === true) return [];
    const fix = 'Set lifecycle.protect: true; it is lifted by applying false first.';
    return [{ message: 'its data can be deleted by one mistake', path: 'lifecycle.protect', fix }];
  },
});

/** No plan deletes data: a necessary deletion needs an exception first. */
const dataKept = policy({
  id: 'data-kept',
  about: 'No plan deletes a GVC, or anything that holds data.',
  plan({ changes }) {
    return changes.flatMap(({ id, action, intended = action, kind, losesData = [] }) => {
      const fix = 'Keep it, or write an exception for it.';
      if (intended === 'delete' && isContainer(kind)) {
        return [{ message: 'the GVC would be deleted with everything in it', resource: id, fix }];
      }
      return losesData.map((lost) => ({ message: `the data of ${lost} would be lost`, resource: id, fix }));
    });
  },
});

/** The running image is the tested one: the next start does not pull another one with the same name. */
const imagesPinned = policy({
  id: 'images-pinned',
  about: 'Every image has a digest, or a tag other than latest.',
  kind: 'workload',
  resource({ spec }) {
    return spec.containers.flatMap(({ name, image }) => {
      const why = faultOf(image);
      if (why === undefined) return [];
      const fix = 'Name a version (shop:2.4.1) or a digest (shop@sha256:…).';
      return [{ message: `${image} ${why}`, path: `spec.containers.${name}.image`, fix }];
    });
  },
});

/** No tag means `latest` (platform/workload.images). Only containers of a vm have no image. */
function faultOf(image: string | undefined): string | undefined {
  if (image === undefined || image.includes('@')) return undefined;
  const [, tag] = image.slice(image.lastIndexOf('/') + 1).split(':');
  if (tag === undefined || tag === '') return 'has no tag, which means latest';
  return tag === 'latest' ? 'has the tag latest' : undefined;
}

const needed = ['cpu', 'memory'] as const;

/** The author decides the resources of a container, not a default. */
const limitsSet = policy({
  id: 'limits-set',
  about: 'Every container says how much CPU and memory it may use.',
  kind: 'workload',
  resource({ spec }) {
    return spec.containers.flatMap((container) =>
      needed
        .filter((name) => container[name] === undefined)
        .map((name) => ({
          message: `${name} is not set`,
          path: `spec.containers.${container.name}.${name}`,
          fix: `Set ${name}, such as ${name === 'cpu' ? '250m' : '512Mi'}.`,
        })),
    );
  },
});

type Domain = ManifestOf<'domain'>;
type DomainPort = NonNullable<NonNullable<Domain['spec']>['ports']>[number];

/** A domain's port that leads to a workload. */
interface Way {
  readonly domain: string;
  readonly port: DomainPort;
}

const oldVersions: ReadonlySet<unknown> = new Set(['TLSV1_0', 'TLSV1_1']);
/** The default ports of a domain (platform/domain.fields). */
const usualPorts: readonly DomainPort[] = [{ number: 443, protocol: 'http2' }];

/** A public workload has its own host name, and encryption. */
const publicIngress = policy({
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
    return ways.flatMap((way) => openingFault(way, path));
  },
});

function openingFault({ domain, port }: Way, path: string): readonly PolicyProblem[] {
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

/** Cached, because the policy is called for each workload of the same stack. */
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

/** Whether a block contains all addresses. */
function opensToAll(block: string): boolean {
  return /\/0+$/.test(block);
}

const external = 'spec.firewallConfig.external';

/** A compromised workload could send its data anywhere. */
const openEgress = policy({
  id: 'open-egress',
  about: 'No workload may reach every address or every host.',
  kind: 'workload',
  resource({ spec }) {
    const { outboundAllowCIDR = [], outboundAllowHostname = [] } = spec.firewallConfig?.external ?? {};
    const fix = 'Name the hosts or the blocks of addresses that it needs.';
    return [
      ...outboundAllowCIDR.filter(opensToAll).map((block) => ({
        message: `it may reach every address (${block})`,
        path: `${external}.outboundAllowCIDR`,
        fix,
      })),
      ...outboundAllowHostname
        .filter((host) => host === '*')
        .map(() => ({ message: 'it may reach every host', path: `${external}.outboundAllowHostname`, fix })),
    ];
  },
});

/** Without a probe, a container that hangs continues to get requests. */
const probesPresent = policy({
  id: 'probes-present',
  about: 'Containers that listen have a readiness probe, and should have a liveness probe.',
  kind: 'workload',
  resource({ spec }) {
    if (spec.type === 'cron' || spec.type === 'vm') return [];
    const { type } = spec;
    return spec.containers.flatMap((container) => {
      const { name, ports = [], port, readinessProbe, livenessProbe } = container;
      if (ports.length === 0 && port === undefined) return [];
      const path = `spec.containers.${name}`;
      return [
        // Without one, a serverless workload is checked by TCP (platform/workload.probes).
        ...(readinessProbe === undefined && type !== 'serverless'
          ? [{ message: 'it gets requests before it is ready', path, fix: 'Add a readinessProbe.' }]
          : []),
        ...(livenessProbe === undefined
          ? [
              {
                message: 'nothing restarts it when it hangs',
                path,
                fix: 'Add a livenessProbe.',
                severity: 'warning' as const,
              },
            ]
          : []),
      ];
    });
  },
});

interface Variable {
  readonly name: string;
  readonly value?: string | undefined;
}

/** Names with these endings contain secrets; `TOKEN_TTL` and `SECRET_NAME` do not. */
const secretName =
  /(?:^|[_.-])(?:password|passwd|pwd|passphrase|secret|token|credentials?|(?:api|access|private|signing|encryption)_?key)$/i;
/** Texts that look like secrets: private keys, keys of clouds and forges, tokens, addresses with a password. */
const secretValue =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----|^AKIA[0-9A-Z]{16}$|^gh[pousr]_\w{30,}$|^eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.|^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]+:[^/\s@]+@/;
/** A reference to a secret (platform/concepts.links). */
const reference = /^scheme:\/\/secret\//;

/** Anyone who may view the workload could read it. */
const secretsInEnv = policy({
  id: 'secrets-in-env',
  about: 'No variable holds a password, key or token as plain text.',
  kind: ['workload', 'gvc'],
  resource(resource) {
    if (resource.kind === 'gvc') return faultsOf(resource.spec?.env, 'spec.env');
    return resource.spec.containers.flatMap(({ name, env }) => faultsOf(env, `spec.containers.${name}.env`));
  },
});

function faultsOf(variables: readonly Variable[] = [], at: string): readonly PolicyProblem[] {
  return variables.flatMap(({ name, value = '' }) => {
    if (value === '' || reference.test(value)) return [];
    const isSecret = secretName.test(name) || (value !== masked && secretValue.test(value));
    if (!isSecret) return [];
    const fix = 'Put it into a secret, and refer to that: scheme://secret/NAME.KEY.';
    return [{ message: `${name} holds a secret as plain text`, path: `${at}.${name}.value`, fix }];
  });
}

/** Basic policies, which `use: [starter]` of `gantry.yaml` enables, all or by their ids. */
export const starter: readonly Policy[] = [
  dataKept,
  dataProtected,
  imagesPinned,
  limitsSet,
  openEgress,
  probesPresent,
  publicIngress,
  secretsInEnv,
];
