import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../../schema/json/json.ts';
import { lastSegment } from '../../../schema/record/links.ts';
import type { Ending } from '../../answer/ending.ts';
import { UsageError } from '../../line/usageError.ts';
import { exitCode } from '../../process/exitCode.ts';
import type { Call, Run } from '../call/command.ts';
import { pairOf } from '../grammar/tags.ts';
import { listOf, showList } from '../output/present.ts';
import { itemOf, named } from '../wire/paths.ts';
import { give } from './follow.ts';
import { changed, patched } from './write.ts';

/**
 * `workload start` and `stop`. Entries of `localOptions` are patched one by one: partial items in a plain list would
 * lose their other options (platform/patch.clients).
 */
function suspending(suspend: boolean): Run {
  return (call) =>
    changed(call, (record) => {
      const local = listAt(objectAt(record, 'spec'), 'localOptions').filter(isObject);
      const items = local.map((item) => ({ location: own(item, 'location') ?? '', suspend }));
      return {
        spec: { defaultOptions: { suspend }, ...(items.length === 0 ? {} : { '$patch/localOptions': items }) },
      };
    });
}

export const runStart = suspending(false);
export const runStop = suspending(true);

/** `workload force-redeployment`. */
export function runRedeploy(call: Call): Promise<Ending> {
  return patched(call, () => ({ tags: { 'scheme/deployTimestamp': new Date().toISOString() } }));
}

/** `workload get-deployments REF`. */
export async function runGetDeployments(call: Call): Promise<Ending> {
  const api = await call.open();
  const [ref = ''] = call.args;
  const path = `${itemOf(api, 'workload', ref)}/deployment`;
  const { items } = await named(api, 'workload', ref, api.list(path, 0));
  await showList(call, 'deployment', listOf('deployment', inLocation(call, items)));
  return exitCode.ok;
}

/** `workload replica get REF`: asked at the address that each deployment names (platform/lifecycle.replicas). */
export async function runGetReplicas(call: Call): Promise<Ending> {
  const api = await call.open();
  const [ref = ''] = call.args;
  const self = itemOf(api, 'workload', ref);
  const { items } = await named(api, 'workload', ref, api.list(`${self}/deployment`, 0));
  const replicas: JsonObject[] = [];
  for (const deployment of inLocation(call, items)) {
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

/** `workload replica stop REF --location L --replica R`, and `workload cron stop`, which is the same. */
export async function runStopReplica(call: Call): Promise<Ending> {
  const api = await call.open();
  const [ref = ''] = call.args;
  const { given } = call;
  const spec = { location: given.text('location') ?? '', replica: given.text('replica') ?? '' };
  const path = itemOf(api, 'workload', ref);
  await named(api, 'workload', ref, api.get(path));
  return give(call, api, path, [{ type: 'stopReplica', spec }]);
}

/** Those of the locations that `--location` names; without it all. */
export function inLocation({ given }: Call, deployments: readonly JsonObject[]): readonly JsonObject[] {
  const wished = given.list('location').map(lastSegment);
  return deployments.filter((each) => wished.length === 0 || wished.includes(stringAt(each, 'name') ?? ''));
}

/** `KEY=VALUE` as environment variables. Errors: `cli.usage`. */
export function envOf(given: readonly string[]): readonly JsonObject[] {
  return given.map((text) => {
    const pair = pairOf(text);
    if (pair === undefined) throw new UsageError(`--env ${text} has no value`, 'Write --env KEY=VALUE.');
    const [name, value] = pair;
    return { name, value };
  });
}

/** The last part of the name of an image, without its tag or digest. */
export function containerNameOf(image: string): string {
  const [name = ''] = lastSegment(image).split(/[:@]/);
  const legal = name
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');
  return legal === '' ? 'main' : legal;
}
