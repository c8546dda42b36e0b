import {
  askOptions,
  bodyFileOption,
  type ClientFacts,
  descriptionOption,
  nameOption,
  type OptionRow,
  required,
  tagOption,
  unlessFile,
  type Verb,
} from '../../kinds/common/client.ts';
import { clientFacts, hiddenField } from '../../kinds/kindFacts.ts';
import { aKind, wordsOf } from '../../kinds/kindWords.ts';
import { isCreatableKind, type Kind } from '../../schema/record/kinds.ts';
import { noImages, noSessions } from '../../terminal/habits.ts';
import { type Noun, nouns } from '../../terminal/nouns.ts';
import type { CommandRow, Run } from '../call/command.ts';
import { genericRows } from './generic.ts';
import { danglingOption } from './options.ts';

/** Every command of a noun, in alphabetical order. */
export async function rowsOf(noun: Noun): Promise<readonly CommandRow[]> {
  if (noun === 'profile') return profileRows;
  if (noun === 'rest') return restRows;
  if (noun === 'completion') return completionRows;
  const more = noun === 'secret' ? (await import('./secret.ts')).secretRows : [];
  return [...genericRows(noun), ...(await ownRows(noun)), ...more].sort((a, b) => (a.verb < b.verb ? -1 : 1));
}

export async function allRows(): Promise<ReadonlyMap<Noun, readonly CommandRow[]>> {
  return new Map(await Promise.all(nouns.map(async (noun) => [noun, await rowsOf(noun)] as const)));
}

/** Verbs of other tools that the platform's API does not offer: the help and the error for an attempt explain this. */
export const absent: Partial<Record<Noun, { readonly verbs: readonly string[]; readonly why: string }>> = {
  workload: {
    verbs: ['attach', 'connect', 'cp', 'exec', 'open', 'port-forward', 'run', 'shell', 'ssh'],
    why: noSessions,
  },
  image: { verbs: ['build', 'copy', 'docker-login', 'load', 'pull', 'push'], why: noImages },
  auditctx: { verbs: ['delete'], why: 'The platform deletes no audit context.' },
};

/** The help on a noun. */
export function aboutNoun(noun: Noun): string {
  if (noun === 'profile') return 'Profiles: where a platform is, and who you are there.';
  if (noun === 'rest') return 'Requests to any path of the platform.';
  if (noun === 'completion') return 'Completion of command lines in a shell, with the names of resources.';
  return `Commands on single ${wordsOf(noun).plural}.`;
}

/** The commands specific to one kind, and `create`, whose options differ for each kind. */
async function ownRows(kind: Kind): Promise<readonly CommandRow[]> {
  const facts = await clientFacts(kind);
  return [...(isCreatableKind(kind) ? [createRow(kind, facts)] : []), ...(facts.verbs ?? []).map(rowOf)];
}

function createRow(kind: Kind, { createOptions = [], create = () => ({}) }: ClientFacts): CommandRow {
  const own = createOptions.map((option): OptionRow => ({ ...option, notWithFile: true }));
  const file = hiddenField(kind) !== undefined ? required(bodyFileOption) : bodyFileOption;
  return {
    verb: 'create',
    about: `create ${aKind(kind)}`,
    options: [file.required === true ? nameOption : unlessFile(nameOption), descriptionOption, tagOption, ...own, file],
    calls: 'POST collection, GET Location',
    examples: [[`gantry ${kind} create --file ${kind}.yaml`, 'from a file, or from standard input with -']],
    load: async () => (await import('../run/write.ts')).creating(create),
  };
}

function rowOf({ deletes, ...verb }: Verb): CommandRow {
  if ('change' in verb) {
    const { change, ...words } = verb;
    return { ...words, load: async () => (await import('../run/write.ts')).changing(change) };
  }
  const { run, ...words } = verb;
  const load = runs[run];
  if (load === undefined) throw new Error(`src/commands/table/rows.ts has no ${run}, which ${verb.verb} is to run`);
  return { ...words, ...(deletes === true ? { options: [danglingOption, ...askOptions] } : {}), load };
}

const cron = () => import('../run/cron.ts');
const keys = () => import('../run/keys.ts');
const members = () => import('../run/members.ts');
const tasks = () => import('../run/tasks.ts');
const volumes = () => import('../run/volumes.ts');
const workloads = () => import('../run/workloads.ts');

/** The commands of single kinds, by their names in `kinds/<kind>/client.ts`. */
const runs: Readonly<Record<string, () => Promise<Run>>> = {
  addKey: async () => (await keys()).runAddKey,
  addMember: async () => (await members()).runAddMember,
  completeTask: async () => (await tasks()).runCompleteTask,
  createSnapshots: async () => (await volumes()).runCreateSnapshot,
  cronImage: async () => (await cron()).runCronImage,
  deleteSnapshots: async () => (await volumes()).runDeleteSnapshot,
  deleteVolumes: async () => (await volumes()).runDeleteVolume,
  deleteWorkloads: async () => (await import('../run/remove.ts')).runDeleteWorkloads,
  expandVolumes: async () => (await volumes()).runExpand,
  getCron: async () => (await cron()).runGetCron,
  getDeployments: async () => (await workloads()).runGetDeployments,
  getMyTasks: async () => (await tasks()).runGetMine,
  getReplicas: async () => (await workloads()).runGetReplicas,
  getSnapshots: async () => (await volumes()).runGetSnapshots,
  getVolumes: async () => (await volumes()).runGetVolumes,
  logs: async () => (await import('../run/logs.ts')).runLogs,
  redeploy: async () => (await workloads()).runRedeploy,
  removeMember: async () => (await members()).runRemoveMember,
  restoreSnapshots: async () => (await volumes()).runRestoreSnapshot,
  shrinkVolumes: async () => (await volumes()).runShrink,
  startCron: async () => (await cron()).runStartCron,
  stopReplica: async () => (await workloads()).runStopReplica,
};

const profiles = () => import('../run/profiles.ts');
const makesDefault: OptionRow = { flags: '--default', about: 'make it the default' };

/** Profiles are files of this user; no platform is involved. */
const profileRows: readonly CommandRow[] = [
  {
    verb: 'create',
    about: 'save a profile: --endpoint, --org, --gvc, --token-file, --insecure',
    args: ['<name>'],
    options: [makesDefault],
    examples: [['gantry profile create work --endpoint https://api.example.com --org acme', '']],
    result: 'items',
    load: async () => (await profiles()).runCreateProfile,
  },
  {
    verb: 'update',
    about: 'change the given settings of a profile',
    args: ['<name>'],
    options: [makesDefault],
    result: 'items',
    load: async () => (await profiles()).runUpdateProfile,
  },
  {
    verb: 'get',
    about: 'show one or all profiles, without tokens',
    args: ['[name]'],
    result: 'items',
    load: async () => (await profiles()).runGetProfile,
  },
  {
    verb: 'delete',
    about: 'delete a profile',
    args: ['<name>'],
    result: 'items',
    load: async () => (await profiles()).runDeleteProfile,
  },
  {
    verb: 'set-default',
    about: 'choose the profile that is used by default',
    args: ['<name>'],
    result: 'items',
    load: async () => (await profiles()).runSetDefault,
  },
  {
    verb: 'login',
    about: 'save the token of a profile: from the prompt, from standard input, or --token-file',
    args: ['[name]'],
    examples: [['gantry profile login work < token.txt', 'from standard input']],
    result: 'items',
    load: async () => (await profiles()).runLogin,
  },
];

const methods = {
  get: 'send a GET',
  post: 'send a POST',
  put: 'send a PUT; without a path, each record of the file to its own collection, as it is',
  patch: 'send a PATCH',
  delete: 'send a DELETE, after asking',
  create: 'send a POST, and show what it made',
};

const restRows: readonly CommandRow[] = Object.entries(methods).map(([verb, about]) => ({
  verb,
  about,
  args: [verb === 'put' ? '[path]' : '<path>'],
  options:
    verb === 'get'
      ? []
      : verb === 'delete'
        ? askOptions
        : [{ ...bodyFileOption, about: 'the body as YAML or JSON; - is standard input' }],
  result: 'document',
  calls: verb === 'create' ? 'POST path, GET Location' : `${verb.toUpperCase()} path`,
  examples: [
    [
      `gantry rest ${verb} ${verb === 'get' || verb === 'delete' ? '//gvc/shop' : '//gvc --file -'}`,
      '// is short for /org/ORG',
    ],
    ...(verb === 'put'
      ? ([
          ['gantry put --file records.yaml', 'create or replace records; one that is replaced leaves its stack'],
        ] as const)
      : []),
  ],
  load: async () => (await import('../run/rest.ts')).runRest,
}));

const shells = {
  bash: 'source <(gantry completion bash)',
  zsh: 'source <(gantry completion zsh)',
  fish: 'gantry completion fish | source',
  powershell: 'gantry completion powershell | Out-String | Invoke-Expression',
};

const completionRows: readonly CommandRow[] = Object.entries(shells).map(([verb, line]) => ({
  verb,
  about: `print the script for ${verb}`,
  result: 'document',
  examples: [[line, 'in the file that the shell reads when it starts']],
  load: async () => (await import('../run/completion.ts')).runCompletion,
}));
