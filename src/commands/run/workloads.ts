import { type JsonObject, listAt, objectAt, stringAt } from '../../base/json/json.ts';
import { available } from '../../base/text/suggestion.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { Api } from '../call/api.ts';
import type { Call } from '../call/command.ts';
import { openItem } from '../call/item.ts';
import { listOf, showList } from '../call/present.ts';
import { optionNames } from '../call/refs.ts';
import { give } from './follow.ts';
import { patched } from './write.ts';

/** `workload force-redeployment`. */
export function runRedeploy(call: Call): Promise<Ending> {
  return patched(call, () => ({ tags: { 'scheme/deployTimestamp': new Date().toISOString() } }));
}

/** `workload get-deployments REF`. */
export async function runGetDeployments(call: Call): Promise<Ending> {
  const { api, path, withSuggestion } = await openItem(call);
  const { items } = await withSuggestion(api.list(`${path}/deployment`, 0));
  await showList(call, 'deployment', listOf('deployment', inLocation(call, api, items)));
  return exitCode.ok;
}

/** `workload replica get REF`: queries the address that each deployment names (platform/lifecycle.replicas). */
export async function runGetReplicas(call: Call): Promise<Ending> {
  const { api, path: self, withSuggestion } = await openItem(call);
  const { items } = await withSuggestion(api.list(`${self}/deployment`, 0));
  const replicas: JsonObject[] = [];
  for (const deployment of inLocation(call, api, items)) {
    const remote = stringAt(objectAt(deployment, 'status'), 'remote');
    const location = stringAt(deployment, 'name') ?? '';
    if (remote === undefined) {
      call.context.terminal.message(`The deployment in ${location} does not say where its replicas are listed.`);
      continue;
    }
    const found = await api.get(`${api.below(`of the replicas in ${location}`, remote)}/replicas${self}`);
    replicas.push(...listAt(found, 'items').map((name) => ({ kind: 'replica', name, location })));
  }
  await showList(call, 'replica', listOf('replica', replicas));
  return exitCode.ok;
}

/** `workload replica stop REF --location L --replica R`, and `workload cron stop`, which does the same. */
export async function runStopReplica(call: Call): Promise<Ending> {
  const { api, path, read } = await openItem(call);
  const { given } = call;
  const spec = { location: optionNames(call, api, 'location')[0] ?? '', replica: given.text('replica') ?? '' };
  await read();
  return give(call, api, path, [{ type: 'stopReplica', spec }]);
}

/** The deployments of the locations in `--location`; without it all. Errors: `cli.usage` if a location has none. */
export function inLocation(call: Call, api: Api, deployments: readonly JsonObject[]): readonly JsonObject[] {
  const wished = optionNames(call, api, 'location');
  const there = [...new Set(deployments.map((each) => stringAt(each, 'name') ?? ''))];
  const missing = wished.find((name) => !there.includes(name));
  if (missing !== undefined)
    throw new UsageError(`there is no deployment in the location ${missing}`, available(there));
  return deployments.filter((each) => wished.length === 0 || wished.includes(stringAt(each, 'name') ?? ''));
}
