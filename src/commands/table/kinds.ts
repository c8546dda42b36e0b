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
import { aKind } from '../../kinds/kindWords.ts';
import { isCreatableKind, type Kind } from '../../schema/record/kinds.ts';
import type { CommandRow } from '../call/command.ts';
import { runs } from '../run/runs.ts';
import { danglingOption } from './options.ts';

/** The commands of one kind alone, and `create`, whose options are its own. */
export async function ownRows(kind: Kind): Promise<readonly CommandRow[]> {
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
