import { descriptionOption, nameOption, required, tagOption } from '../../kinds/common/clientOptions.ts';
import { secretTypes } from '../../kinds/secret/fields.ts';
import type { CommandRow } from '../call/command.ts';
import { creatingSecret, runReveal, secretOptions } from '../run/secrets.ts';

/** Commands of secrets alone; their options are made of the shape of each type, which takes some time to load. */
export const secretRows: readonly CommandRow[] = [
  {
    verb: 'reveal',
    about: 'show a secret with its values',
    args: ['<ref>'],
    calls: 'GET item/-reveal',
    load: () => Promise.resolve(runReveal),
  },
  ...secretTypes.map(
    (type): CommandRow => ({
      verb: `create-${type}`,
      about: `create a secret of the type ${type}`,
      options: [required(nameOption), descriptionOption, tagOption, ...secretOptions(type)],
      calls: 'POST collection, GET Location',
      load: () => Promise.resolve(creatingSecret(type)),
    }),
  ),
];
