import { hiddenField, targetKinds } from '../../schema/facts/kindFacts.ts';
import { isCreatableKind, type Kind } from '../../schema/record/kinds.ts';
import { aKind } from '../../schema/record/kindWords.ts';
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
  about: 'the kind that the query is about',
  choices: ['user'],
  usual: 'user',
};

/** What `create` takes beside the name, the description, tags and a file (platform/clients.kinds). */
const createOptions: Partial<Record<Kind, readonly OptionRow[]>> = {
  gvc: [{ ...locationsOption, about: 'a location of it' }, envOption, ...queryOptions('query-')],
  workload: [
    { flags: '--image <name>', about: 'the image of its container', names: imageNames },
    {
      flags: '--type <type>',
      about: 'its type',
      choices: ['standard', 'serverless', 'stateful', 'cron'],
      usual: 'standard',
    },
    countOption('--port <number>', 'the port of its container; none of cron', { usual: '8080' }),
    { flags: '--cpu <amount>', about: 'its processor time', usual: '50m' },
    { flags: '--memory <amount>', about: 'its memory', usual: '128Mi' },
    { flags: '--container-name <name>', about: 'the name of its container (default: that of the image)' },
    { flags: '--command <text>', about: 'what its container runs' },
    { flags: '--arg <text>', about: 'an argument of it', many: true },
    envOption,
    { flags: '--inherit-env', about: 'its container has the variables of the GVC' },
    { flags: '--volume <uri:path>', about: 'a volume set or secret, and where it is mounted', many: true },
    { flags: '--identity <name>', about: 'its identity, of the same GVC', names: { kinds: ['identity'] } },
    { flags: '--schedule <cron>', about: 'when a cron workload runs' },
    { flags: '--public', about: 'anyone can call it: inbound from 0.0.0.0/0' },
    { flags: '--egress', about: 'it can call anything: outbound to 0.0.0.0/0' },
  ],
  volumeset: [
    numberOption('--initial-capacity <gb>', 'its capacity', { usual: '10' }),
    {
      flags: '--performance-class <class>',
      about: 'its class (default: general-purpose-ssd; shared of a shared file system)',
      choices: ['general-purpose-ssd', 'high-throughput-ssd', 'shared'],
    },
    { flags: '--file-system-type <type>', about: 'its file system', choices: ['ext4', 'xfs', 'shared'], usual: 'xfs' },
    { flags: '--retention-duration <time>', about: 'how long snapshots are kept', usual: '7d' },
    { flags: '--schedule <cron>', about: 'when snapshots are made' },
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
    { flags: '--provider <name>', about: 'the cloud', choices: ['aws', 'azure', 'gcp', 'ngs'] },
    { flags: '--role-arn <arn>', about: 'of aws: the role' },
    { flags: '--project-id <id>', about: 'of gcp: the project' },
    {
      flags: '--secret <name>',
      about: 'of azure and ngs: the secret with the credentials',
      names: { kinds: ['secret'] },
    },
  ],
  policy: [
    { flags: '--target-kind <kind>', about: 'the kind that it is about', choices: targetKinds },
    { flags: '--target <ref>', about: 'a record that it is about', many: true, names: targets },
    { flags: '--all', about: 'it is about all records of the kind' },
    ...queryOptions('query-'),
  ],
  domain: [
    { flags: '--dns-mode <mode>', about: 'who answers for the name', choices: ['cname', 'ns'], usual: 'cname' },
    { flags: '--cert-challenge-type <type>', about: 'how the certificate is proved', choices: ['http01', 'dns01'] },
    { flags: '--gvc-link <name>', about: 'the GVC whose workloads get sub-domains', names: { kinds: ['gvc'] } },
    {
      flags: '--workload-link <name>',
      about: 'the workload of all requests',
      names: { kinds: ['workload'], inAnyGvc: true },
    },
    {
      flags: '--route <prefix=workload[:port]>',
      about: 'a route of port 443',
      many: true,
      names: { kinds: ['workload'], inAnyGvc: true, refIn: (value) => routeIn(value)?.workload },
    },
  ],
};

/** `create` of a kind; undefined: its records are made otherwise. */
export function createRow(kind: Kind): CommandRow | undefined {
  if (!isCreatableKind(kind)) return undefined;
  const own = (createOptions[kind] ?? []).map((option): OptionRow => ({ ...option, notWithFile: true }));
  const file = hiddenField(kind) !== undefined ? required(bodyFileOption) : bodyFileOption;
  return {
    verb: 'create',
    about: `create ${aKind(kind)}`,
    options: [nameOption, descriptionOption, tagOption, ...own, file],
    calls: 'POST collection, GET Location',
    examples: [[`gantry ${kind} create --file ${kind}.yaml`, 'from a file, or from standard input with -']],
    load: async () => (await import('../run/create.ts')).creations[kind],
  };
}
