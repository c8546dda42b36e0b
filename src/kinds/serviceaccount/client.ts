import { isObject, listAt, stringAt } from '../../base/json/json.ts';
import { available } from '../../base/text/suggestion.ts';
import { UsageError } from '../../base/usageError.ts';
import { type ClientFacts, descriptionOption, required } from '../common/client.ts';

export const serviceaccountClient: ClientFacts = {
  columns: [
    'name',
    'description',
    'created',
    'origin',
    { title: 'KEYS', rank: 2, of: (record) => String(listAt(record, 'keys').length) },
    'tags',
  ],
  verbs: [
    {
      verb: 'add-key',
      about: 'add a key; it is shown only once',
      args: ['<ref>'],
      options: [required({ ...descriptionOption, about: 'what the key is for' })],
      result: 'items',
      calls: 'POST item/-addKey',
      run: 'addKey',
    },
    {
      verb: 'remove-key',
      about: 'revoke keys',
      args: ['<ref>'],
      options: [
        { flags: '--key <name>', about: 'name of the key', isRepeatable: true, required: true, completes: 'keys' },
      ],
      calls: 'GET item, PATCH item $drop/keys',
      change: (record, options) => {
        const names = listAt(record, 'keys')
          .filter(isObject)
          .map((key) => stringAt(key, 'name') ?? '');
        const missing = options.list('key').find((name) => !names.includes(name));
        if (missing === undefined) return { '$drop/keys': options.list('key') };
        throw new UsageError(`there is no key ${missing}`, available(names));
      },
    },
  ],
};
