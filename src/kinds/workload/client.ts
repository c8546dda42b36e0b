import { isObject, type JsonObject, listAt, objectAt, own } from '../../base/json/json.ts';
import { nonEmpty, present } from '../../base/json/present.ts';
import { UsageError } from '../../base/usageError.ts';
import { lastSegment } from '../../schema/record/ref.ts';
import {
  at,
  type ClientFacts,
  countOption,
  envOf,
  envOption,
  imageNames,
  locationsOption,
  nameOption,
  type OptionValues,
  oneLocation,
  required,
  requireUnwritten,
  unlessFile,
  type Verb,
  waitOptions,
} from '../common/client.ts';

export const workloadClient: ClientFacts = {
  columns: [
    'name',
    'description',
    'gvc',
    'ready',
    'created',
    {
      title: 'ENDPOINT',
      of: (record) => at(record, 'status', 'canonicalEndpoint') || at(record, 'status', 'endpoint'),
    },
    'tags',
  ],
  createOptions: [
    unlessFile({ flags: '--image <name>', about: 'image of the container', names: imageNames }),
    {
      flags: '--type <type>',
      about: 'type of the workload',
      choices: ['standard', 'serverless', 'stateful', 'cron'],
      defaultText: 'standard',
    },
    countOption('--port <number>', 'port of the container (cron workloads have none)', { defaultText: '8080' }),
    { flags: '--cpu <amount>', about: 'CPU of the container', defaultText: '50m' },
    { flags: '--memory <amount>', about: 'memory of the container', defaultText: '128Mi' },
    { flags: '--container-name <name>', about: 'name of the container (default: that of the image)' },
    { flags: '--command <text>', about: 'command of the container' },
    { flags: '--arg <text>', about: 'an argument of the command', isRepeatable: true },
    envOption,
    { flags: '--inherit-env', about: 'give the container the variables of the GVC' },
    { flags: '--volume <uri:path>', about: 'a volume set or secret, and its mount path', isRepeatable: true },
    { flags: '--identity <name>', about: 'identity of the workload, in the same GVC', names: { kinds: ['identity'] } },
    { flags: '--schedule <cron>', about: 'schedule of a cron workload (required with --type cron)' },
    { flags: '--public', about: 'allow requests from anywhere: inbound from 0.0.0.0/0' },
    { flags: '--egress', about: 'allow requests to anywhere: outbound to 0.0.0.0/0' },
  ],
  create: (options, links) => {
    const image = options.text('image');
    if (image === undefined) throw new UsageError('--image NAME is missing', 'Give --image NAME:TAG, or --file FILE.');
    const type = options.text('type') ?? 'standard';
    if (type !== 'cron') requireUnwritten(options, ['schedule'], 'without --type cron');
    else requireUnwritten(options, ['port'], 'with --type cron');
    return {
      spec: {
        type,
        ...present({ identityLink: links.of('identity')[0] }),
        containers: [
          {
            ...containerOf(options, image),
            env: envOf(options.list('env')),
            inheritEnv: options.flag('inheritEnv'),
            volumes: options.list('volume').map(volumeOf),
            ports: type === 'cron' ? [] : [{ protocol: 'http', number: options.count('port') ?? 8080 }],
          },
        ],
        ...present({ firewallConfig: firewallOf(options) }),
        ...(type === 'cron' ? { job: jobOf(options) } : {}),
      },
    };
  },
  verbs: [
    suspending('start', 'run workloads again after stop', false),
    suspending('stop', 'suspend workloads in all locations', true),
    {
      verb: 'force-redeployment',
      about: 'replace the replicas of workloads',
      args: ['<ref...>'],
      calls: 'PATCH item with a tag',
      run: 'redeploy',
    },
    {
      verb: 'get-deployments',
      about: 'show readiness per location',
      args: ['<ref>'],
      options: [{ ...locationsOption, about: 'only in this location' }],
      result: 'items',
      calls: 'GET item/deployment',
      run: 'getDeployments',
    },
    {
      verb: 'logs',
      about: 'show the log lines of a workload',
      args: ['<ref>'],
      options: [
        { flags: '--since <time>', about: 'start of the time range: ISO 8601, or how long ago (default: 1h)' },
        oneLocation,
        { flags: '--replica <name>', about: 'only of this replica, as replica get and cron get show it' },
        { flags: '--container <name>', about: 'only of this container' },
      ],
      result: 'document',
      calls: 'GET item, GET {logs}/logs/org/{org}/loki/api/v1/query_range',
      examples: [['gantry workload logs web --since 10m', '']],
      run: 'logs',
    },
    {
      verb: 'replica get',
      about: 'list the replicas of a workload',
      args: ['<ref>'],
      options: [{ ...locationsOption, about: 'only in this location' }],
      result: 'items',
      calls: 'GET item/deployment, GET {remote}/replicas item',
      run: 'getReplicas',
    },
    {
      verb: 'replica stop',
      about: 'stop a replica; the platform starts another one',
      args: ['<ref>'],
      options: [
        required({ ...oneLocation, about: 'the location of the replica' }),
        { flags: '--replica <name>', about: 'the replica', required: true },
        ...waitOptions,
      ],
      result: 'items',
      calls: 'POST item/-command stopReplica',
      run: 'stopReplica',
    },
    {
      verb: 'cron get',
      about: 'show runs of cron workloads',
      args: ['[ref...]'],
      options: [{ ...locationsOption, about: 'only in this location' }],
      result: 'items',
      calls: 'GET item/deployment, GET item/-command',
      run: 'getCron',
    },
    {
      verb: 'cron start',
      about: 'run a cron workload now',
      args: ['<ref>'],
      options: [
        { ...locationsOption, about: 'a location to run in (default: all of the GVC)' },
        { flags: '--container <name>', about: 'the container that the following options are about' },
        { flags: '--image <name>', about: 'image of the container in this run', names: imageNames },
        { flags: '--command <text>', about: 'command of the container in this run' },
        { flags: '--arg <text>', about: 'an argument of the command in this run', isRepeatable: true },
        envOption,
        { flags: '--cpu <amount>', about: 'CPU of the container in this run' },
        { flags: '--memory <amount>', about: 'memory of the container in this run' },
        countOption('--active-deadline-seconds <n>', 'how many seconds the run may take'),
        ...waitOptions,
      ],
      result: 'items',
      calls: 'POST item/-command runCronWorkload, one for each location',
      run: 'startCron',
    },
    {
      verb: 'cron stop',
      about: 'stop a run of a cron workload',
      args: ['<ref>'],
      options: [
        required({ ...oneLocation, about: 'the location of the replica' }),
        { flags: '--replica <name>', about: 'the replica of the run', required: true },
        ...waitOptions,
      ],
      result: 'items',
      calls: 'POST item/-command stopReplica',
      run: 'stopReplica',
    },
    {
      verb: 'cron run',
      about: 'run an image once, in a cron workload made for it',
      options: [
        { flags: '--image <name>', about: 'the image', required: true, names: imageNames },
        { ...nameOption, about: 'name of the workload (default: a new one)' },
        { ...locationsOption, about: 'a location to run in (default: the first of the GVC)' },
        { flags: '--command <text>', about: 'command of the container' },
        { flags: '--arg <text>', about: 'an argument of the command', isRepeatable: true },
        envOption,
        { flags: '--cpu <amount>', about: 'CPU of the container', defaultText: '50m' },
        { flags: '--memory <amount>', about: 'memory of the container', defaultText: '128Mi' },
        ...waitOptions,
      ],
      result: 'items',
      calls: 'POST collection, POST item/-command runCronWorkload',
      run: 'cronImage',
    },
  ],
};

/**
 * Items of `localOptions` are patched one by one: partial items in a plain list would lose their other options
 * (platform/patch.clients).
 */
function suspending(verb: string, about: string, suspend: boolean): Verb {
  return {
    verb,
    about,
    args: ['<ref...>'],
    calls: 'GET item, PATCH item with suspend',
    change: (record) => {
      const local = listAt(objectAt(record, 'spec'), 'localOptions').filter(isObject);
      const items = local.map((item) => ({ location: own(item, 'location') ?? '', suspend }));
      return {
        spec: { defaultOptions: { suspend }, ...nonEmpty({ '$patch/localOptions': items }) },
      };
    },
  };
}

/** The firewall rules that `--public` and `--egress` open: one direction each (platform/clients.kinds). */
function firewallOf(options: OptionValues): JsonObject | undefined {
  const everywhere = ['0.0.0.0/0'];
  const external = {
    ...(options.flag('public') ? { inboundAllowCIDR: everywhere } : {}),
    ...(options.flag('egress') ? { outboundAllowCIDR: everywhere } : {}),
  };
  return Object.keys(external).length === 0 ? undefined : { external };
}

/** `URI:PATH`; the URI contains colons too. */
function volumeOf(text: string): JsonObject {
  const colon = text.lastIndexOf(':');
  const [uri, path] = [text.slice(0, colon), text.slice(colon + 1)];
  if (uri.includes('://') && path.startsWith('/')) return { uri, path };
  throw new UsageError(`--volume ${text} is not a valid volume`, 'Write URI:PATH: scheme://volumeset/data:/var/data.');
}

function jobOf(options: OptionValues): JsonObject {
  const schedule = options.text('schedule');
  if (schedule === undefined) throw new UsageError('--schedule CRON is missing', "Give --schedule '0 * * * *'.");
  return { schedule };
}

/** The container made from options, without its variables. */
export function containerOf(options: OptionValues, image: string): JsonObject {
  return {
    name: options.text('containerName') ?? containerNameOf(image),
    image,
    cpu: options.text('cpu') ?? '50m',
    memory: options.text('memory') ?? '128Mi',
    ...present({ command: options.text('command') }),
    ...nonEmpty({ args: options.list('arg') }),
  };
}

/** The last part of the name of an image, without its tag or digest. */
function containerNameOf(image: string): string {
  const [name = ''] = lastSegment(image).split(/[:@]/);
  const legal = name
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');
  return legal === '' ? 'main' : legal;
}
