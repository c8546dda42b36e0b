import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import type { Call } from '../call/command.ts';
import { showList, showRecord } from '../call/present.ts';
import { argumentRefs } from '../call/refs.ts';

/** `task get-mine`: the tasks of the caller, in all orgs. */
export async function runGetMine(call: Call): Promise<Ending> {
  const api = await call.open();
  await showList(call, 'task', await api.list('/task/-forme', call.context.options.max), api);
  return exitCode.ok;
}

/** `task complete ID --answer accept|reject`. */
export async function runCompleteTask(call: Call): Promise<Ending> {
  const api = await call.open();
  const [ref] = argumentRefs(call, api);
  const answer = call.given.text('answer') ?? '';
  const { record } = await api.send('POST', `/task/${encodeURIComponent(ref?.name ?? '')}`, { answer });
  await showRecord(call, 'task', record, api);
  return exitCode.ok;
}
