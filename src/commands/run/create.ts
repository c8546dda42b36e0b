import type { JsonObject } from '../../base/json/json.ts';
import { type CreatableKind, type Kind, kindNamed } from '../../schema/record/kinds.ts';
import { linkOf } from '../../schema/record/links.ts';
import { UsageError } from '../../terminal/line/usageError.ts';
import type { Api } from '../call/api.ts';
import type { Call, Run } from '../call/command.ts';
import type { Given } from '../call/given.ts';
import { queryTerms } from '../call/queryTerms.ts';
import { optionLinks, optionRefs } from '../call/refs.ts';
import { routeIn } from '../call/routes.ts';
import { ipSetLocations } from './locations.ts';
import { containerOf, envOf } from './workloads.ts';
import { creating } from './write.ts';

/** `memberQuery`, `locationQuery`, `targetQuery`, of the options `--query-…`; undefined where none is given. */
function storedQuery(call: Call, api: Api, usual: Kind): JsonObject | undefined {
  const { given } = call;
  const kind = kindNamed(given.text('queryKind')) ?? usual;
  const terms = queryTerms(call, api, kind, 'query');
  if (terms.length === 0) return undefined;
  return {
    kind,
    fetch: 'items',
    spec: { match: given.text('queryMatch') ?? 'all', terms },
  };
}

function given(name: string, value: JsonObject[string] | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

/** The bodies of `create`, by kind, without what all kinds have (platform/clients.kinds). */
export const creations: Readonly<Record<CreatableKind, Run>> = {
  gvc: creating((call, api) => {
    const locations = optionLinks(call, api, 'location');
    const query = storedQuery(call, api, 'location');
    if (locations.length === 0 && query === undefined) {
      throw new UsageError(
        '--location NAME is missing',
        'Give --location NAME (repeatable); gantry location get lists them.',
      );
    }
    const env = envOf(call.given.list('env'));
    return {
      spec: {
        staticPlacement: {
          locationLinks: locations,
          ...given('locationQuery', query),
        },
        ...(env.length === 0 ? {} : { env }),
      },
    };
  }),

  workload: creating((call, api) => {
    const options = call.given;
    const image = options.text('image');
    if (image === undefined) throw new UsageError('--image NAME is missing', 'Give --image NAME:TAG, or --file FILE.');
    const type = options.text('type') ?? 'standard';
    if (type !== 'cron') requireUnwritten(options, ['schedule'], 'without --type cron');
    else requireUnwritten(options, ['port'], 'with --type cron');
    return {
      spec: {
        type,
        ...given('identityLink', optionLinks(call, api, 'identity')[0]),
        containers: [
          {
            ...containerOf(options, image),
            env: envOf(options.list('env')),
            inheritEnv: options.flag('inheritEnv'),
            volumes: options.list('volume').map(volumeOf),
            ports: type === 'cron' ? [] : [{ protocol: 'http', number: options.count('port') ?? 8080 }],
          },
        ],
        ...given('firewallConfig', firewallOf(options)),
        ...(type === 'cron' ? { job: jobOf(call) } : {}),
      },
    };
  }),

  volumeset: creating(({ given: options }) => {
    const shared = options.text('fileSystemType') === 'shared';
    if (shared) {
      const ofSnapshots = ['retentionDuration', 'schedule', 'finalSnapshot'];
      requireUnwritten(options, ofSnapshots, 'with --file-system-type shared, which has no snapshots');
    }
    return {
      spec: {
        initialCapacity: options.count('initialCapacity') ?? 10,
        performanceClass: options.text('performanceClass') ?? (shared ? 'shared' : 'general-purpose-ssd'),
        fileSystemType: options.text('fileSystemType') ?? 'xfs',
        ...(shared
          ? {}
          : {
              snapshots: {
                createFinalSnapshot: options.flag('finalSnapshot'),
                retentionDuration: options.text('retentionDuration') ?? '7d',
                ...given('schedule', options.text('schedule')),
              },
            }),
      },
    };
  }),

  identity: creating(() => ({})),

  ipset: creating((call, api) => {
    return {
      spec: {
        ...given('link', optionLinks(call, api, 'link')[0]),
        locations: ipSetLocations(call, api),
      },
    };
  }),

  group: creating((call, api) => ({
    memberLinks: [...optionLinks(call, api, 'email'), ...optionLinks(call, api, 'serviceaccount')],
    ...given('memberQuery', storedQuery(call, api, 'user')),
  })),

  serviceaccount: creating(() => ({})),
  auditctx: creating(() => ({})),
  agent: creating(() => ({})),
  location: creating(() => ({ provider: 'byok' })),
  cloudaccount: creating((call, api) => {
    const options = call.given;
    const provider = options.text('provider');
    if (provider === undefined) {
      throw new UsageError('--provider NAME is missing', 'Give --provider aws, azure, gcp or ngs, or --file FILE.');
    }
    return {
      provider,
      data: {
        ...given('roleArn', options.text('roleArn')),
        ...given('projectId', options.text('projectId')),
        ...given('secretLink', optionLinks(call, api, 'secret')[0]),
      },
    };
  }),

  policy: creating((call, api) => {
    const options = call.given;
    const targetKind = kindNamed(options.text('targetKind'));
    if (targetKind === undefined)
      throw new UsageError('--target-kind KIND is missing', 'Give --target-kind KIND, or --file FILE.');
    const query = storedQuery(call, api, targetKind);
    return {
      targetKind,
      ...(options.flag('all') ? { target: 'all' } : {}),
      ...(options.list('target').length === 0 ? {} : { targetLinks: optionLinks(call, api, 'target') }),
      ...given('targetQuery', query),
      bindings: [],
    };
  }),

  domain: creating((call, api) => {
    const options = call.given;
    return {
      spec: {
        dnsMode: options.text('dnsMode') ?? 'cname',
        ...given('certChallengeType', options.text('certChallengeType')),
        ...given('gvcLink', optionLinks(call, api, 'gvcLink')[0]),
        ...given('workloadLink', optionLinks(call, api, 'workloadLink')[0]),
        ports: [
          {
            number: 443,
            protocol: 'http2',
            tls: {},
            ...(options.list('route').length === 0 ? {} : { routes: routesOf(call, api) }),
          },
        ],
      },
    };
  }),

  /** Its options are those of `create-TYPE`; here it is made of a file. */
  secret: creating(() => ({})),
};

/** An option that a creation of this form does not use would be lost without a word. Errors: `cli.usage`. */
function requireUnwritten(options: Given, names: readonly string[], where: string): void {
  const lost = names.find((name) => options.isWritten(name));
  if (lost === undefined) return;
  const flag = `--${lost === 'finalSnapshot' ? 'no-final-snapshot' : lost.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new UsageError(`${flag} has no effect ${where}`, `Leave out ${flag}.`);
}

/** The rules that `--public` and `--egress` open: each one direction (platform/clients.kinds). */
function firewallOf(options: Given): JsonObject | undefined {
  const everywhere = ['0.0.0.0/0'];
  const external = {
    ...(options.flag('public') ? { inboundAllowCIDR: everywhere } : {}),
    ...(options.flag('egress') ? { outboundAllowCIDR: everywhere } : {}),
  };
  return Object.keys(external).length === 0 ? undefined : { external };
}

/** `URI:PATH`, where the URI has colons of its own. */
function volumeOf(text: string): JsonObject {
  const at = text.lastIndexOf(':');
  const [uri, path] = [text.slice(0, at), text.slice(at + 1)];
  if (uri.includes('://') && path.startsWith('/')) return { uri, path };
  throw new UsageError(`--volume ${text} is not a valid volume`, 'Write URI:PATH: scheme://volumeset/data:/var/data.');
}

function jobOf({ given: options }: Call): JsonObject {
  const schedule = options.text('schedule');
  if (schedule === undefined) throw new UsageError('--schedule CRON is missing', "Give --schedule '0 * * * *'.");
  return { schedule };
}

function routesOf(call: Call, api: Api): readonly JsonObject[] {
  const routes = call.given.list('route').map((text) => {
    const route = routeIn(text);
    if (route !== undefined) return route;
    throw new UsageError(`--route ${text} is not a valid route`, 'Write PREFIX=WORKLOAD[:PORT].');
  });
  return optionRefs(call, api, 'route').map((workload, index) => ({
    prefix: routes[index]?.prefix ?? '',
    workloadLink: linkOf(workload, api.org),
    ...given('port', routes[index]?.port),
  }));
}
