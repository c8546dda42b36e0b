import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import type { Call } from '../call/command.ts';
import { openItem } from '../call/item.ts';
import { showRecord } from '../call/present.ts';

/** `serviceaccount add-key REF --description TEXT`: the key is shown only once. */
export async function runAddKey(call: Call): Promise<Ending> {
  const { api, path, withSuggestion } = await openItem(call);
  const body = { description: call.given.text('description') ?? '' };
  const { record } = await withSuggestion(api.send('POST', `${path}/-addKey`, body));
  await showRecord(call, 'key', record);
  call.context.terminal.message('Store the key now: it is not shown again.');
  return exitCode.ok;
}
