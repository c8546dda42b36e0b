import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { UsageError } from '../../base/usageError.ts';
import { type ClientFacts, member, type OptionLinks, type OptionValues, pairOf } from '../common/client.ts';

export const domainClient: ClientFacts = {
  columns: ['name', 'description', member('STATUS', 'status', 'status'), 'tags'],
  createOptions: [
    { flags: '--dns-mode <mode>', about: 'DNS mode of the domain', choices: ['cname', 'ns'], defaultText: 'cname' },
    {
      flags: '--cert-challenge-type <type>',
      about: 'challenge with which the certificate is requested',
      choices: ['http01', 'dns01'],
    },
    { flags: '--gvc-link <name>', about: 'GVC whose workloads get subdomains', names: { kinds: ['gvc'] } },
    {
      flags: '--workload-link <name>',
      about: 'workload that receives all requests',
      names: { kinds: ['workload'], inAnyGvc: true },
    },
    {
      flags: '--route <prefix=workload[:port]>',
      about: 'a route on port 443',
      isRepeatable: true,
      names: { kinds: ['workload'], inAnyGvc: true, refIn: (value) => routeIn(value)?.workload },
    },
  ],
  create: (options, links) => ({
    spec: {
      dnsMode: options.text('dnsMode') ?? 'cname',
      ...present({
        certChallengeType: options.text('certChallengeType'),
        gvcLink: links.of('gvcLink')[0],
        workloadLink: links.of('workloadLink')[0],
      }),
      ports: [
        {
          number: 443,
          protocol: 'http2',
          tls: {},
          ...present({ routes: options.list('route').length === 0 ? undefined : routesOf(options, links) }),
        },
      ],
    },
  }),
};

/** Parses `PREFIX=WORKLOAD[:PORT]`; the workload is a REF. Undefined if it is not a route. */
function routeIn(
  text: string,
): { readonly prefix: string; readonly workload: string; readonly port?: number } | undefined {
  const [prefix, target = ''] = pairOf(text) ?? [];
  const [, workload, port] = /^(.+?)(?::(\d+))?$/.exec(target) ?? [];
  if (prefix === undefined || workload === undefined) return undefined;
  return { prefix, workload, ...present({ port: port === undefined ? undefined : Number(port) }) };
}

function routesOf(options: OptionValues, links: OptionLinks): readonly JsonObject[] {
  const routes = options.list('route').map((text) => {
    const route = routeIn(text);
    if (route !== undefined) return route;
    throw new UsageError(`--route ${text} is not a valid route`, 'Write PREFIX=WORKLOAD[:PORT].');
  });
  return links.each('route').map((workloadLink, index) => ({
    prefix: routes[index]?.prefix ?? '',
    workloadLink,
    ...present({ port: routes[index]?.port }),
  }));
}
