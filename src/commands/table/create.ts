import { hiddenField, targetKinds } from '../../kinds/kindFacts.ts';
import { aKind } from '../../kinds/kindWords.ts';
import { isCreatableKind, type Kind } from '../../schema/record/kinds.ts';
import type { CommandRow, NamedRecords, OptionRow } from '../call/command.ts';
import { routeIn } from '../call/routes.ts';
import {
  bodyFileOption,
  countOption,
  descriptionOption,
  envOption,
  imageNames,
  ipSetLocations,
  locationsOption,
  members,
  nameOption,
  numberOption,
  queryOptions,
  required,
  tagOption,
} from './options.ts';

/** Of a policy: a record of the kind that it is about. */
const targets: NamedRecords = { kinds: '--target-kind', inAnyGvc: true };

const queryKind: OptionRow = {
  flags: '--query-kind <kind>',
  about: 'kind of the records that the query finds',
  choices: ['user'],
  usual: 'user',
};

/** The options of `create` beside the name, the description, tags and a file (platform/clients.kinds). */
const createOptions: Partial<Record<Kind, readonly OptionRow[]>> = {
  gvc: [
    { ...locationsOption, about: 'a location (required without a query or --file)' },
    envOption,
    ...queryOptions('query-'),
  ],
  workload: [
    unlessFile({ flags: '--image <name>', about: 'image of the container', names: imageNames }),
    {
      flags: '--type <type>',
      about: 'type of the workload',
      choices: ['standard', 'serverless', 'stateful', 'cron'],
      usual: 'standard',
    },
    countOption('--port <number>', 'port of the container (cron workloads have none)', { usual: '8080' }),
    { flags: '--cpu <amount>', about: 'CPU of the container', usual: '50m' },
    { flags: '--memory <amount>', about: 'memory of the container', usual: '128Mi' },
    { flags: '--container-name <name>', about: 'name of the container (default: that of the image)' },
    { flags: '--command <text>', about: 'command of the container' },
    { flags: '--arg <text>', about: 'an argument of the command', many: true },
    envOption,
    { flags: '--inherit-env', about: 'give the container the variables of the GVC' },
    { flags: '--volume <uri:path>', about: 'a volume set or secret, and its mount path', many: true },
    { flags: '--identity <name>', about: 'identity of the workload, in the same GVC', names: { kinds: ['identity'] } },
    { flags: '--schedule <cron>', about: 'schedule of a cron workload (required with --type cron)' },
    { flags: '--public', about: 'allow requests from anywhere: inbound from 0.0.0.0/0' },
    { flags: '--egress', about: 'allow requests to anywhere: outbound to 0.0.0.0/0' },
  ],
  volumeset: [
    numberOption('--initial-capacity <gb>', 'capacity of each volume, in GB', { usual: '10' }),
    {
      flags: '--performance-class <class>',
      about: 'performance class (default: general-purpose-ssd; shared for a shared file system)',
      choices: ['general-purpose-ssd', 'high-throughput-ssd', 'shared'],
    },
    {
      flags: '--file-system-type <type>',
      about: 'file system of the volumes',
      choices: ['ext4', 'xfs', 'shared'],
      usual: 'xfs',
    },
    { flags: '--retention-duration <time>', about: 'how long snapshots are kept', usual: '7d' },
    { flags: '--schedule <cron>', about: 'schedule of snapshots' },
    { flags: '--no-final-snapshot', about: 'make no snapshot when it is deleted' },
  ],
  ipset: [
    {
      flags: '--link <workload>',
      about: 'the workload or GVC that uses it',
      names: { kinds: ['workload', 'gvc'], inAnyGvc: true },
    },
    ipSetLocations,
  ],
  group: [...members, ...queryOptions('query-'), queryKind],
  cloudaccount: [
    unlessFile({ flags: '--provider <name>', about: 'cloud provider', choices: ['aws', 'azure', 'gcp', 'ngs'] }),
    { flags: '--role-arn <arn>', about: 'ARN of the role (aws)' },
    { flags: '--project-id <id>', about: 'project (gcp)' },
    {
      flags: '--secret <name>',
      about: 'secret with the credentials (azure, ngs)',
      names: { kinds: ['secret'] },
    },
  ],
  policy: [
    unlessFile({
      flags: '--target-kind <kind>',
      about: 'kind of the records that the policy applies to',
      choices: targetKinds,
    }),
    { flags: '--target <ref>', about: 'a record that the policy applies to', many: true, names: targets },
    { flags: '--all', about: 'apply the policy to all records of the kind' },
    ...queryOptions('query-'),
  ],
  domain: [
    { flags: '--dns-mode <mode>', about: 'DNS mode of the domain', choices: ['cname', 'ns'], usual: 'cname' },
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
      many: true,
      names: { kinds: ['workload'], inAnyGvc: true, refIn: (value) => routeIn(value)?.workload },
    },
  ],
};

/** Help says what is needed where no file has it. */
function unlessFile(option: OptionRow): OptionRow {
  return { ...option, about: `${option.about} (required without --file)` };
}

/** `create` of a kind; undefined: its records are made otherwise. */
export function createRow(kind: Kind): CommandRow | undefined {
  if (!isCreatableKind(kind)) return undefined;
  const own = (createOptions[kind] ?? []).map((option): OptionRow => ({ ...option, notWithFile: true }));
  const file = hiddenField(kind) !== undefined ? required(bodyFileOption) : bodyFileOption;
  return {
    verb: 'create',
    about: `create ${aKind(kind)}`,
    options: [file.required === true ? nameOption : unlessFile(nameOption), descriptionOption, tagOption, ...own, file],
    calls: 'POST collection, GET Location',
    examples: [[`gantry ${kind} create --file ${kind}.yaml`, 'from a file, or from standard input with -']],
    load: async () => (await import('../run/create.ts')).creations[kind],
  };
}
