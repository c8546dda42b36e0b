import { isObject, listAt, stringAt } from '../../base/json/json.ts';
import { available } from '../../base/text/suggestion.ts';
import type { Ending } from '../../terminal/answer/ending.ts';
import { UsageError } from '../../terminal/line/usageError.ts';
import { exitCode } from '../../terminal/process/exitCode.ts';
import type { Call } from '../call/command.ts';
import { openItem } from '../call/item.ts';
import { showRecord } from '../output/present.ts';
import { changed } from './write.ts';

/** `serviceaccount add-key REF --description TEXT`: the key is shown once, and never again. */
export async function runAddKey(call: Call): Promise<Ending> {
  const { api, path, asked } = await openItem(call);
  const body = { description: call.given.text('description') ?? '' };
  const { record } = await asked(api.send('POST', `${path}/-addKey`, body));
  await showRecord(call, 'key', record);
  call.context.terminal.message('Store the key now: it is not shown again.');
  return exitCode.ok;
}

/** `serviceaccount remove-key REF --key NAME…`. */
export function runRemoveKey(call: Call): Promise<Ending> {
  return changed(call, (record) => {
    const names = listAt(record, 'keys')
      .filter(isObject)
      .map((key) => stringAt(key, 'name') ?? '');
    const missing = call.given.list('key').find((name) => !names.includes(name));
    if (missing === undefined) return { '$drop/keys': call.given.list('key') };
    throw new UsageError(`there is no key ${missing}`, available(names));
  });
}
