import type { JsonObject } from '../../../schema/json/json.ts';
import type { CreatableKind } from '../../../schema/record/kinds.ts';
import { UsageError } from '../../line/usageError.ts';
import type { Call, Run } from '../call/command.ts';
import { pairOf } from '../grammar/tags.ts';
import { termsOf } from '../grammar/terms.ts';
import type { Api } from '../wire/api.ts';
import { homeOf, linkOf } from '../wire/paths.ts';
import { ipSetLocations } from './locations.ts';
import { containerOf, envOf } from './workloads.ts';
import { creating } from './write.ts';

/** `memberQuery`, `locationQuery`, `targetQuery`, of the options `--query-…`; undefined where none is given. */
function storedQuery({ given }: Call, kind: string): JsonObject | undefined {
  const terms = termsOf(given, 'query');
  if (terms.length === 0) return undefined;
  return {
    kind: given.text('queryKind') ?? kind,
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
    const locations = call.given.list('location');
    const query = storedQuery(call, 'location');
    if (locations.length === 0 && query === undefined) {
      throw new UsageError(
        '--location is missing',
        'Give --location NAME (repeatable); gantry location get lists them.',
      );
    }
    const env = envOf(call.given.list('env'));
    return {
      spec: {
        staticPlacement: {
          locationLinks: locations.map((name) => linkOf(api, 'location', name)),
          ...given('locationQuery', query),
        },
        ...(env.length === 0 ? {} : { env }),
      },
    };
  }),

  workload: creating((call, api) => {
    const options = call.given;
    const image = options.text('image');
    if (image === undefined) throw new UsageError('--image is missing', 'Give --image NAME:TAG, or --file FILE.');
    const type = options.text('type') ?? 'standard';
    const identity = options.text('identity');
    return {
      spec: {
        type,
        ...given('identityLink', identity === undefined ? undefined : linkOf(api, 'identity', identity)),
        containers: [
          {
            ...containerOf(options, image),
            env: envOf(options.list('env')),
            inheritEnv: options.flag('inheritEnv'),
            volumes: options.list('volume').map(volumeOf),
            ports: type === 'cron' ? [] : [{ protocol: 'http', number: options.count('port') ?? 8080 }],
          },
        ],
        ...(options.flag('public') ? { firewallConfig: openFirewall } : {}),
        ...(type === 'cron' ? { job: jobOf(call) } : {}),
      },
    };
  }),

  volumeset: creating(({ given: options }) => {
    const shared = options.text('fileSystemType') === 'shared';
    return {
      spec: {
        initialCapacity: options.count('initialCapacity') ?? 10,
        performanceClass: options.text('performanceClass') ?? (shared ? 'shared' : 'general-purpose-ssd'),
        fileSystemType: options.text('fileSystemType') ?? 'xfs',
        ...(shared
          ? {}
          : {
              snapshots: {
                createFinalSnapshot: !options.flag('noFinalSnapshot'),
                retentionDuration: options.text('retentionDuration') ?? '7d',
                ...given('schedule', options.text('schedule')),
              },
            }),
      },
    };
  }),

  identity: creating(() => ({})),

  ipset: creating((call, api) => {
    const link = call.given.text('link');
    return {
      spec: {
        ...given('link', link === undefined ? undefined : linkedTo(api, link)),
        locations: ipSetLocations(call, (name) => linkOf(api, 'location', name)),
      },
    };
  }),

  group: creating((call, api) => ({
    memberLinks: [
      ...call.given.list('email').map((email) => `/org/${api.org}/user/${email}`),
      ...call.given.list('serviceaccount').map((name) => linkOf(api, 'serviceaccount', name)),
    ],
    ...given('memberQuery', storedQuery(call, 'user')),
  })),

  serviceaccount: creating(() => ({})),
  auditctx: creating(() => ({})),
  agent: creating(() => ({})),
  location: creating(() => ({ provider: 'byok' })),
  cloudaccount: creating(({ given: options }, api) => {
    const secret = options.text('secret');
    const provider = options.text('provider');
    if (provider === undefined) {
      throw new UsageError('--provider is missing', 'Give --provider aws, azure, gcp or ngs, or --file FILE.');
    }
    return {
      provider,
      data: {
        ...given('roleArn', options.text('roleArn')),
        ...given('projectId', options.text('projectId')),
        ...given('secretLink', secret === undefined ? undefined : linkOf(api, 'secret', secret)),
      },
    };
  }),

  policy: creating((call, api) => {
    const options = call.given;
    const targetKind = options.text('targetKind');
    if (targetKind === undefined)
      throw new UsageError('--target-kind is missing', 'Give --target-kind KIND, or --file FILE.');
    const query = storedQuery(call, targetKind);
    return {
      targetKind,
      ...(options.flag('all') ? { target: 'all' } : {}),
      ...(options.list('target').length === 0
        ? {}
        : {
            targetLinks: options
              .list('target')
              .map((ref) => (ref.includes('/') ? whole(api, ref) : `/org/${api.org}/${targetKind}/${ref}`)),
          }),
      ...given('targetQuery', query),
      bindings: [],
    };
  }),

  domain: creating((call, api) => {
    const options = call.given;
    const [gvc, workload] = [options.text('gvcLink'), options.text('workloadLink')];
    return {
      spec: {
        dnsMode: options.text('dnsMode') ?? 'cname',
        ...given('certChallengeType', options.text('certChallengeType')),
        ...given('gvcLink', gvc === undefined ? undefined : linkOf(api, 'gvc', gvc)),
        ...given('workloadLink', workload === undefined ? undefined : linkOf(api, 'workload', workload)),
        ports: [
          {
            number: 443,
            protocol: 'http2',
            tls: {},
            ...(options.list('route').length === 0
              ? {}
              : { routes: options.list('route').map((text) => routeOf(api, text)) }),
          },
        ],
      },
    };
  }),

  /** Its options are those of `create-TYPE`; here it is made of a file. */
  secret: creating(() => ({})),
};

/** What `--public` opens (platform/clients.kinds). */
const openFirewall = {
  external: { inboundAllowCIDR: ['0.0.0.0/0'], outboundAllowCIDR: ['0.0.0.0/0'] },
  internal: { inboundAllowType: 'same-org' },
} as const;

/** `URI:PATH`, where the URI has colons of its own. */
function volumeOf(text: string): JsonObject {
  const at = text.lastIndexOf(':');
  const [uri, path] = [text.slice(0, at), text.slice(at + 1)];
  if (uri.includes('://') && path.startsWith('/')) return { uri, path };
  throw new UsageError(`--volume ${text} is not a valid volume`, 'Write URI:PATH: scheme://volumeset/data:/var/data.');
}

function jobOf({ given: options }: Call): JsonObject {
  const schedule = options.text('schedule');
  if (schedule === undefined) throw new UsageError('--schedule is missing', "Give --schedule '0 * * * *'.");
  return { schedule };
}

/** `PREFIX=WORKLOAD[:PORT]`. */
function routeOf(api: Api, text: string): JsonObject {
  const [prefix, target = ''] = pairOf(text) ?? [];
  const [, ref = '', port] = /^(.+?)(?::(\d+))?$/.exec(target) ?? [];
  if (prefix === undefined || ref === '')
    throw new UsageError(`--route ${text} is not a valid route`, 'Write PREFIX=WORKLOAD[:PORT].');
  return {
    prefix,
    workloadLink: linkOf(api, 'workload', ref),
    ...given('port', port === undefined ? undefined : Number(port)),
  };
}

function linkedTo(api: Api, ref: string): string {
  return ref.includes('/') ? whole(api, ref) : `${homeOf(api, 'workload')}/${ref}`;
}

/** `gvc/g/workload/w`, `//gvc/…` and `/org/…` as a full link. */
function whole(api: Api, ref: string): string {
  if (ref.startsWith('/org/')) return ref;
  return `/org/${api.org}/${ref.replace(/^\/+/, '')}`;
}
