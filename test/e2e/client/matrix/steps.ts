import { isObject, listAt, objectAt, stringAt } from '../../../../src/base/json/json.ts';
import { genericRows } from '../../../../src/commands/table/generic.ts';
import { secretTypes } from '../../../../src/kinds/secret/fields.ts';
import { zooWords } from '../zooWords.ts';
import { createAll, deleteAll, use, useAll } from './life.ts';
import { type Ask, type Planned, type Step, stepOf } from './step.ts';

const org = '/org/local';

/** A user who is in the org from the start. */
export function userOf(mark: string): string {
  return `${mark}@example.com`;
}

/**
 * A call of every command, each after the calls that it depends on. The names of records contain `mark`, so that
 * several runs share a platform.
 */
export function steps(mark: string): readonly Planned[] {
  const gvc = `${org}/gvc/gvc-${mark}`;
  const web = `workload-${mark} --gvc gvc-${mark}`;
  const job = `job-${mark} --gvc gvc-${mark}`;
  const data = `volumeset-${mark} --gvc gvc-${mark}`;
  const bot = `serviceaccount-${mark}`;
  const image = `pushed-${mark}:1`;
  const user = userOf(mark);

  return [
    ...ofThisMachine(mark),
    ...createAll(mark),
    ...useAll(mark),

    stepOf(`gvc add-location gvc-${mark} --location aws-eu-central-1`, { says: 'aws-us-west-2 aws-eu-central-1' }),
    stepOf(`gvc remove-location gvc-${mark} --location aws-eu-central-1`, { says: ' aws-us-west-2 ' }),
    stepOf(`ipset add-location ipset-${mark} --location aws-eu-central-1,free`, {
      says: 'aws-us-west-2 aws-eu-central-1',
    }),
    stepOf(`ipset update-location ipset-${mark} --location aws-eu-central-1,keep`, { says: 'aws-eu-central-1' }),
    stepOf(`ipset remove-location ipset-${mark} --location aws-eu-central-1`, { says: ' aws-us-west-2 ' }),
    stepOf(`group add-member group-${mark} --serviceaccount ${bot}`, { says: ` ${bot} ` }),
    stepOf(`group remove-member group-${mark} --serviceaccount ${bot}`, { says: `^group-${mark} ` }),
    stepOf(`policy add-binding policy-${mark} --permission view --principal group/group-${mark}`, { says: ' 1 ' }),
    stepOf(`policy remove-binding policy-${mark} --permission view --principal group/group-${mark}`, { says: ' 0 ' }),
    stepOf(`serviceaccount add-key ${bot} --description ci`, { says: String.raw`ci +.* s\S+\.\S+\.\S+$` }),
    async (ask) => stepOf(`serviceaccount remove-key ${bot} --key ${await keyOf(ask, bot)}`, { says: ` 0 ` }),
    stepOf(`secret reveal secret-${mark}`, { says: '^a: b$' }),
    ...secretTypes.map((type) => createSecret(type, mark)),

    stepOf(
      `workload create --name base-${mark} --gvc gvc-${mark} --image db:1 --type stateful --volume scheme://volumeset/volumeset-${mark}:/data`,
    ),
    stepOf(`workload create --name job-${mark} --gvc gvc-${mark} --image job:1 --type cron --schedule @daily`),
    stepOf(`workload stop ${web}`),
    stepOf(`workload start ${web}`),
    stepOf(`workload force-redeployment ${web}`, { says: 'scheme/deployTimestamp' }),
    stepOf(`workload get-deployments ${web}`, { says: '^aws-us-west-2 ' }),
    stepOf(`workload replica get ${web}`, { says: ' aws-us-west-2$' }),
    async (ask) =>
      stepOf(`workload replica stop ${web} --location aws-us-west-2 --replica ${await replicaOf(ask, gvc, mark)}`),
    stepOf(`workload cron start ${job}`, { says: 'runCronWorkload' }),
    async (ask) =>
      stepOf(`workload cron stop ${job} --location aws-us-west-2 --replica ${await runOf(ask, gvc, mark)}`, {
        says: 'stopReplica',
      }),
    stepOf(`workload cron get ${job}`, { says: `^job-${mark} ` }),
    stepOf(`workload logs ${job}`, { says: 'run command-' }),
    stepOf(`workload cron run --image busybox:1 --gvc gvc-${mark} --name once-${mark}`, { says: 'runCronWorkload' }),

    ...[
      stepOf(`volumeset volume get ${data}`, { says: '^aws-us-west-2 +0 ' }),
      stepOf(`volumeset expand ${data} --new-size 20`, { says: 'expandVolume' }),
      stepOf(`volumeset snapshot create ${data} --snapshot-name one`, { says: 'createVolumeSnapshot' }),
      stepOf(`volumeset snapshot get ${data}`, { says: '^one ' }),
      stepOf(`volumeset snapshot restore ${data} --snapshot-name one --yes`, { says: 'restoreVolume' }),
      stepOf(`volumeset snapshot delete ${data} --snapshot-name one --yes`, { says: 'deleteVolumeSnapshot' }),
      stepOf(`volumeset shrink ${data} --new-size 12 --yes`, { says: 'shrinkVolume' }),
      stepOf(`volumeset volume delete ${data} --yes`, { says: 'deleteVolume' }),
    ].map((step): Step => ({ ...step, settled: `${gvc}/volumeset/volumeset-${mark}` })),

    stepOf('rest create //auditctx --file -', { input: `name: rest-${mark}`, says: `"name": "rest-${mark}"` }),
    stepOf('rest post //auditctx --file -', { input: `name: post-${mark}` }),
    stepOf(`rest put //auditctx/post-${mark} --file -`, {
      input: `{name: post-${mark}, description: put}`,
      says: 'put',
    }),
    stepOf(`rest patch //gvc/gvc-${mark} --file -`, { input: '{"description": "by rest"}', says: 'by rest' }),
    stepOf(`rest get //gvc/gvc-${mark}`, { says: `"name": "gvc-${mark}"` }),
    stepOf(`rest delete //ipset/ipset-${mark}-copy --yes`),

    ...use('org', 'local', mark),
    ...use('quota', 'agents', mark),
    after((ask) => ask('POST', `${org}/image/-simulate`, { name: image }), stepOf(`image get ${image}`)),
    ...use('image', image, mark),
    stepOf(`image delete ${image} --yes`, { says: `^Deleted image '${image}'$` }),
    ...use('user', user, mark),
    stepOf(`user delete ${user} --yes`, { says: `^Deleted user '${user}'$` }),
    ...ofTasks(mark),
    ...deleteAll(mark),
  ];
}

/** Commands that send no request. */
function ofThisMachine(mark: string): readonly Step[] {
  return [
    stepOf(`profile create ${mark} --endpoint http://127.0.0.1:1 --org local`, { says: `^Saved the profile ${mark}$` }),
    stepOf(`profile update ${mark} --default`),
    stepOf(`profile set-default ${mark}`),
    stepOf(`profile login ${mark}`, { input: 'hidden-value' }),
    stepOf('profile get', { says: String.raw`^${mark} +\* .*saved$` }),
    stepOf(`profile delete ${mark}`),
    stepOf('completion bash', { says: '^complete -o default -F _gantry gantry$' }),
    stepOf('completion zsh', { says: '^compdef _gantry gantry$' }),
    stepOf('completion fish', { says: '^complete -c gantry ' }),
    stepOf('completion powershell', { says: '^Register-ArgumentCompleter ' }),
  ];
}

function createSecret(type: string, mark: string): Step {
  const { words, input } = zooWords(type);
  const { words: before, ...step } = stepOf(`secret create-${type} --name ${type}-${mark}`);
  return { ...step, words: [...before, ...words], input, says: `^${type}-${mark} .*${type}` };
}

/** Each step has its own task, which targets a user. */
function ofTasks(mark: string): readonly Planned[] {
  const asked = async (ask: Ask) => {
    const task = { targetEmail: 'admin@example.com', description: 'join' };
    return stringAt((await ask('POST', `${org}/task/-simulate`, task)).body, 'id') ?? '';
  };
  return [
    ...genericRows('task')
      .filter(({ verb }) => verb !== 'delete')
      .map(({ verb }) => async (ask: Ask) => {
        const found = use('task', await asked(ask), mark).find((step) => step.verb === verb);
        if (found === undefined) throw new Error(`tasks have no ${verb}`);
        return found;
      }),
    stepOf('task get-mine', { says: ' join ' }),
    async (ask) => stepOf(`task complete ${await asked(ask)} --answer accept`, { says: ' complete$' }),
    async (ask) => stepOf(`task delete ${await asked(ask)} --yes`),
  ];
}

function after(first: (ask: Ask) => Promise<unknown>, step: Step): Planned {
  return async (ask) => {
    await first(ask);
    return step;
  };
}

async function keyOf(ask: Ask, account: string): Promise<string> {
  const [key] = listAt((await ask('GET', `${org}/serviceaccount/${account}`)).body, 'keys').filter(isObject);
  return stringAt(key ?? {}, 'name') ?? '';
}

async function replicaOf(ask: Ask, gvc: string, mark: string): Promise<string> {
  const { body } = await ask('GET', `/-remote/aws-us-west-2/replicas${gvc}/workload/workload-${mark}`);
  return String(listAt(body, 'items')[0]);
}

async function runOf(ask: Ask, gvc: string, mark: string): Promise<string> {
  const { body } = await ask('GET', `${gvc}/workload/job-${mark}/deployment`);
  const [deployment] = listAt(body, 'items').filter(isObject);
  const [run] = listAt(objectAt(deployment ?? {}, 'status'), 'jobExecutions').filter(isObject);
  return stringAt(run ?? {}, 'replica') ?? '';
}
