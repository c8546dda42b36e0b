import type { ClientFacts, OptionRow, Verb } from '../../kinds/common/client.ts';
import {
  askOptions,
  bodyFileOption,
  descriptionOption,
  nameOption,
  required,
  tagOption,
  unlessFile,
} from '../../kinds/common/clientOptions.ts';
import { clientFacts, hiddenField } from '../../kinds/kindFacts.ts';
import { aKind, wordsOf } from '../../kinds/kindWords.ts';
import { isCreatableKind, type Kind } from '../../schema/record/kinds.ts';
import { noImages, noSessions } from '../../terminal/line/habits.ts';
import { type Noun, nouns } from '../../terminal/line/nouns.ts';
import type { CommandRow } from '../call/command.ts';
import { runs } from '../run/runs.ts';
import { genericRows } from './generic.ts';
import { danglingOption } from './options.ts';
import { completionRows, profileRows, restRows } from './others.ts';

/** Every command of a noun, in alphabetical order. */
export async function rowsOf(noun: Noun): Promise<readonly CommandRow[]> {
  if (noun === 'profile') return profileRows;
  if (noun === 'rest') return restRows;
  if (noun === 'completion') return completionRows;
  const more = noun === 'secret' ? (await import('./secret.ts')).secretRows : [];
  return [...genericRows(noun), ...(await ownRows(noun)), ...more].sort((a, b) => (a.verb < b.verb ? -1 : 1));
}

/** The commands of all nouns. */
export async function allRows(): Promise<ReadonlyMap<Noun, readonly CommandRow[]>> {
  return new Map(await Promise.all(nouns.map(async (noun) => [noun, await rowsOf(noun)] as const)));
}

/**
 * Verbs that other tools have and the platform's API has not: the help says so, and so does the error for whoever tries
 * them.
 */
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
  return `Commands on single ${wordsOf(noun).many}.`;
}

/** The commands of one kind alone, and `create`, whose options are its own. */
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
  if (load === undefined) throw new Error(`src/commands/run/runs.ts has no ${run}, which ${verb.verb} is to run`);
  return { ...words, ...(deletes === true ? { options: [danglingOption, ...askOptions] } : {}), load };
}
