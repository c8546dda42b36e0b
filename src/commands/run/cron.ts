import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../base/json/json.ts';
import { compact, nonEmpty, present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import { envOf } from '../../kinds/common/client.ts';
import { containerOf } from '../../kinds/workload/client.ts';
import { type Ref, refTo } from '../../schema/record/ref.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { shellWord } from '../../terminal/nextCommand.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { Api } from '../call/api.ts';
import type { Call } from '../call/command.ts';
import { itemOf, openItem } from '../call/item.ts';
import { nextCall } from '../call/nextCall.ts';
import { homeOf, named, pathOf } from '../call/paths.ts';
import { listOf, showList } from '../call/present.ts';
import { argumentRefs, optionNames } from '../call/refs.ts';
import { give } from './follow.ts';
import { inLocation } from './workloads.ts';

/** `workload cron start REF`: one run in each location of the GVC, or of `--location`. */
export async function runStartCron(call: Call): Promise<Ending> {
  const { api, ref, path, read } = await openItem(call);
  const record = await read();
  requireCron(record);
  const overrides = overridesOf(call, record);
  const deadline = call.given.count('activeDeadlineSeconds');
  const locations = await locationsFor(call, api, path);
  if (locations.length === 0) {
    throw new ToolError({
      code: 'api.not-found',
      message: `${ref.name} is deployed to no location, so nothing was run`,
      hint: 'The GVC needs a location: gantry gvc add-location.',
    });
  }
  const orders = locations.map((location) => ({
    type: 'runCronWorkload',
    spec: {
      location,
      ...present({ containerOverrides: overrides === undefined ? undefined : [overrides] }),
      ...present({ activeDeadlineSeconds: deadline }),
    },
  }));
  return give(call, api, path, orders);
}

/** The differences for this run only; `--container` names the container if there are several. */
function overridesOf({ given }: Call, record: JsonObject): JsonObject | undefined {
  const names = listAt(objectAt(record, 'spec'), 'containers')
    .filter(isObject)
    .map((container) => stringAt(container, 'name') ?? '');
  const texts = ['command', 'image', 'cpu', 'memory'] as const;
  const changes: JsonObject = {
    ...Object.fromEntries(
      compact(texts, (key) => (given.text(key) === undefined ? undefined : [key, given.text(key) ?? ''])),
    ),
    ...nonEmpty({ args: given.list('arg') }),
    ...present({ env: given.list('env').length === 0 ? undefined : envOf(given.list('env')) }),
  };
  const wished = given.text('container');
  if (Object.keys(changes).length === 0) {
    if (wished === undefined) return undefined;
    throw new UsageError(
      '--container has no effect where nothing of it is different',
      'Give --image, --command, --arg, --env, --cpu or --memory.',
    );
  }
  const name = wished ?? (names.length === 1 ? names[0] : undefined);
  if (name !== undefined && names.includes(name)) return { name, ...changes };
  throw new UsageError(
    wished === undefined
      ? 'the workload does not have exactly one container, and --container is missing'
      : `there is no container ${wished}`,
    `Give --container NAME: ${names.join(', ')}.`,
  );
}

/** Errors: `cli.usage`. */
function requireCron(record: JsonObject): void {
  const type = stringAt(objectAt(record, 'spec'), 'type');
  if (type === 'cron') return;
  throw new UsageError(
    `${stringAt(record, 'name')} is a ${type} workload, not a cron workload`,
    'Only cron workloads have runs; gantry workload get-deployments shows how others are.',
  );
}

async function locationsFor(call: Call, api: Api, path: string): Promise<readonly string[]> {
  const wished = optionNames(call, api, 'location');
  if (wished.length > 0) return wished;
  const { items } = await api.list(`${path}/deployment`, 0);
  return items.map((deployment) => stringAt(deployment, 'name') ?? '');
}

/** `workload cron get [REF]`: runs by schedule from the deployments, and those on demand from the commands. */
export async function runGetCron(call: Call): Promise<Ending> {
  const api = await call.open();
  const refs = argumentRefs(call, api);
  const records = await Promise.all(refs.map((ref) => itemOf(api, ref).read()));
  for (const record of records) requireCron(record);
  const workloads = refs.length > 0 ? refs : await cronWorkloads(api);
  const found = await Promise.all(workloads.map((ref) => executionsOf(call, api, ref)));
  const deployments = inLocation(
    call,
    api,
    found.flatMap((each) => each.deployments),
  );
  const here = new Set(deployments.map((deployment) => stringAt(deployment, 'name')));
  const isAsked = ({ location }: JsonObject) => !call.given.isWritten('location') || here.has(String(location));
  const rows = found.flatMap(({ executions }) => executions.filter(isAsked));
  await showList(call, 'cronexecution', listOf('cronexecution', rows));
  const [row] = rows;
  if (row !== undefined && call.context.options.form === 'text') {
    const command = `workload logs ${shellWord(stringAt(row, 'workload') ?? '')} --replica ${shellWord(stringAt(row, 'replica') ?? '')}`;
    call.context.terminal.message(`Lines of a run: ${nextCall(call, command)}`);
  }
  return exitCode.ok;
}

async function cronWorkloads(api: Api): Promise<readonly Ref[]> {
  const { items } = await api.list(homeOf(api, 'workload'), 0);
  const crons = items.filter((item) => stringAt(objectAt(item, 'spec'), 'type') === 'cron');
  return crons.map((item) => refTo('workload', stringAt(item, 'name') ?? '', api.gvc));
}

const stages: Readonly<Record<string, string>> = {
  running: 'Active',
  pending: 'Active',
  completed: 'Success',
  failed: 'Failure',
};

interface Executions {
  readonly deployments: readonly JsonObject[];
  readonly executions: readonly JsonObject[];
}

async function executionsOf({ context: { options } }: Call, api: Api, ref: Ref): Promise<Executions> {
  const path = pathOf(api, ref);
  const workload = ref.name;
  const [deployments, commands] = await Promise.all([
    named(api, ref, api.list(`${path}/deployment`, 0)),
    named(api, ref, api.list(`${path}/-command`, options.max)),
  ]);
  const scheduled = deployments.items.flatMap((deployment) =>
    listAt(objectAt(deployment, 'status'), 'jobExecutions')
      .filter(isObject)
      .filter((execution) => !/^(?:command|run-for-command)-/.test(stringAt(execution, 'name') ?? ''))
      .map((execution) => ({ ...execution, workload, location: stringAt(deployment, 'name') ?? '' })),
  );
  const onDemand = commands.items
    .filter((command) => stringAt(command, 'type') === 'runCronWorkload')
    .map((command): JsonObject => {
      const stage = stringAt(command, 'lifecycleStage') ?? '';
      return {
        name: stringAt(command, 'id') ?? '',
        workload,
        location: stringAt(objectAt(command, 'spec'), 'location') ?? '',
        status: stages[stage] ?? stage,
        // Its execution has this name, and one replica (platform/cron.executions).
        replica: `command-${stringAt(command, 'id') ?? ''}-0`,
        startTime: stringAt(command, 'created') ?? '',
        ...(stage === 'completed' || stage === 'failed'
          ? { completionTime: stringAt(command, 'lastModified') ?? '' }
          : {}),
      };
    });
  return { deployments: deployments.items, executions: [...scheduled, ...onDemand] };
}

/**
 * `workload cron run --image IMAGE`: creates a suspended cron workload, runs it once, and follows the run to its end
 * (platform/commands.run-now). The workload is kept, so that its run can be inspected.
 */
export async function runCronImage(call: Call): Promise<Ending> {
  const { given } = call;
  const api = await call.open();
  const image = given.text('image') ?? '';
  const name = given.text('name') ?? `run-${Date.now().toString(36)}`;
  const body: JsonObject = {
    name,
    description: `A run of ${image}`,
    tags: { 'scheme/run': 'true' },
    spec: {
      type: 'cron',
      containers: [
        {
          ...containerOf(given, image),
          ...present({ env: given.list('env').length === 0 ? undefined : envOf(given.list('env')) }),
        },
      ],
      job: { schedule: '0 0 1 1 *', restartPolicy: 'Never' },
      defaultOptions: { suspend: true },
    },
  };
  const home = homeOf(api, 'workload');
  await api.create(home, body);
  const path = `${home}/${name}`;
  const locations = await locationsFor(call, api, path);
  const [first] = locations;
  if (first === undefined) throw new UsageError('the GVC has no location to run in', 'Give --location NAME.');
  call.context.terminal.message(
    `The workload ${name} stays. To delete it: ${nextCall(call, `workload delete ${shellWord(name)}`)}`,
  );
  const chosen = given.list('location').length > 0 ? locations : [first];
  return give(
    call,
    api,
    path,
    chosen.map((location) => ({ type: 'runCronWorkload', spec: { location } })),
  );
}
