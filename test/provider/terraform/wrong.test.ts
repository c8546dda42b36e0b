import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isArray, isObject, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { useTerraform } from '../harness/useTerraform.ts';

/** `wrong`: the body of the resource. `says`: the message of Terraform or of the provider. */
interface Wrong {
  readonly name: string;
  readonly type: string;
  readonly wrong: string;
  readonly says: RegExp;
}

function wrong(type: string, name: string, text: string, says: RegExp): Wrong {
  return { name, type: `gantry_${type}`, wrong: text, says };
}

const workload = (name: string, spec: string, says: RegExp): Wrong => wrong('workload', name, inSpec(spec), says);
const inSpec = (spec: string) =>
  `gvc = "shop"\nspec {\n${/\btype *=/.test(spec) ? '' : 'type = "standard"\n'}${spec}\n}`;
const main = (more: string) => `containers {\nname = "main"\nimage = "nginx:1"\n${more}\n}`;
const container = (name: string, more: string, says: RegExp): Wrong => workload(name, main(more), says);

/** The message for a name that is in no schema, as an argument and as a block. */
const noArgument = (name: string) => new RegExp(`An argument named "${name}" is not expected here`);
const noBlock = (name: string) => new RegExp(`Blocks of type "${name}" are not expected here`);

// biome-ignore format: one case a line
const misspelt: readonly Wrong[] = [
  container('camel_argument', 'inheritEnv = true', noArgument('inheritEnv')),
  container('camel_memory', 'minMemory = "64Mi"', noArgument('minMemory')),
  container('no_such_argument', 'typo = 1', noArgument('typo')),
  container('block_for_env', 'env {\nname = "A"\nvalue = "b"\n}', /Did you mean to define argument\s+"env"/),
  container('list_for_ports', 'ports = [{ number = 8080 }]', noArgument('ports')),
  container('camel_probe', 'readinessProbe {\n}', noBlock('readinessProbe')),
  container('in_a_probe', 'readiness_probe {\nhttpGet {\npath = "/"\n}\n}', noBlock('httpGet')),
  container('deep_in_a_probe', 'readiness_probe {\nhttp_get {\npth = "/"\n}\n}', noArgument('pth')),
  container('in_an_item', 'volumes {\nuri = "s3://b"\npth = "/d"\n}', noArgument('pth')),
  container('in_a_port', 'ports {\nnumber = 80\nprotcol = "http"\n}', noArgument('protcol')),
  container('in_a_volume', 'volumes {\nuri = "s3://b"\npath = "/d"\nrecovery = "retain"\n}', noArgument('recovery')),
  container('in_gpu', 'gpu {\nnvidia {\nmodel = "t4"\ncount = 1\n}\n}', noArgument('count')),
  workload('firewall', `${main('')}\nfirewall {\n}`, noBlock('firewall')),
  workload('firewall_as_value', `${main('')}\nfirewall = { external = {} }`, noArgument('firewall')),
  workload(
    'in_the_firewall',
    `${main('')}\nfirewall_config {\nexternal {\ninboundAllowCIDR = ["::/0"]\n}\n}`,
    noArgument('inboundAllowCIDR'),
  ),
  workload('camel_options', `${main('')}\ndefaultOptions {\n}`, noBlock('defaultOptions')),
  workload('in_options', `${main('')}\ndefault_options {\ntimeout = 5\n}`, noArgument('timeout')),
  workload(
    'in_autoscaling',
    `${main('')}\ndefault_options {\nautoscaling {\nmin_replicas = 1\n}\n}`,
    noArgument('min_replicas'),
  ),
  workload(
    'in_local_options',
    `${main('')}\nlocal_options {\nlocation = "aws-eu-central-1"\nsuspended = true\n}`,
    noArgument('suspended'),
  ),
  workload(
    'in_the_job',
    `type = "cron"\n${main('')}\njob {\nschedule = "0 * * * *"\nconcurrency = "Forbid"\n}`,
    noArgument('concurrency'),
  ),
  workload(
    'twice',
    `${main('')}\nrollout_options {\n}\nrollout_options {\n}`,
    /Only one block of type "rollout_options"/,
  ),
  wrong('workload', 'no_spec', 'gvc = "shop"', /A block of type "spec" is required here/),
  wrong('workload', 'in_timeouts', `${inSpec(main(''))}\ntimeouts {\nread = "5m"\n}`, noArgument('read')),
  wrong('gvc', 'in_placement', 'spec {\nstatic_placement {\nlocations = ["aws-eu-central-1"]\n}\n}', noArgument('locations')),
  wrong(
    'gvc',
    'in_a_map_of_blocks',
    'spec {\ntracing {\nsampling = 1\ncustom_tags "a" {\nliteral {\nvalu = "x"\n}\n}\n}\n}',
    noArgument('valu'),
  ),
  wrong(
    'gvc',
    'a_map_without_keys',
    'spec {\ntracing {\nsampling = 1\ncustom_tags {\n}\n}\n}',
    /Missing .* for custom_tags|All custom_tags blocks must have 1 labels/,
  ),
  wrong('secret', 'in_secret_data', 'type = "userpass"\ndata {\nuserpass {\nusername = "a"\npasword = "b"\n}\n}', noArgument('pasword')),
  wrong(
    'secret',
    'in_secret_data_wo',
    'type = "opaque"\ndata_wo_version = 1\ndata_wo {\nopaque {\npayload = "b"\nencodng = "plain"\n}\n}',
    noArgument('encodng'),
  ),
  wrong('secret', 'no_such_type_of_secret', 'type = "opaque"\ndata {\nopaq {\npayload = "x"\n}\n}', noBlock('opaq')),
  wrong(
    'policy',
    'in_bindings',
    'target_kind = "gvc"\nbindings {\npermissions = ["view"]\nprincipals = ["a"]\n}',
    noArgument('principals'),
  ),
  wrong('domain', 'in_routes', 'spec {\nports {\nnumber = 443\nroutes {\nprefix = "/"\nworkload = "web"\n}\n}\n}', noArgument('workload')),
  wrong('volumeset', 'in_a_volume_set', 'gvc = "shop"\nspec {\nsize = 10\n}', noArgument('size')),
  wrong('group', 'in_a_query', 'member_query {\nfetch = "items"\nspec {\nterms {\noperator = "="\n}\n}\n}', noArgument('operator')),
];

// biome-ignore format: one case a line
const invalid: readonly Wrong[] = [
  workload('no_such_workload_type', `type = "servless"\n${main('')}`, /spec.type/),
  container('a_quantity', 'cpu = "fast"', /is not a valid quantity/),
  container('a_protocol', 'ports {\nnumber = 80\nprotocol = "htp"\n}', /protocol/),
  container('a_port', 'ports {\nnumber = 80000\n}', /number/),
  workload(
    'a_minimum_above',
    `${main('')}\ndefault_options {\nautoscaling {\nmin_scale = 3\nmax_scale = 2\n}\n}`,
    /W17/,
  ),
  wrong(
    'workload',
    'a_duration',
    `${inSpec(main(''))}\ntimeouts {\ncreate = "soon"\n}`,
    /"soon" is not a valid duration/,
  ),
  wrong('secret', 'without_version', 'type = "opaque"\ndata_wo {\nopaque {\npayload = "b"\n}\n}', /data_wo_version is missing/),
  wrong('secret', 'of_another_type', 'type = "userpass"\ndata {\nopaque {\npayload = "b"\n}\n}', /does not belong to the type/),
];

/** Mistakes that only the plan can find. */
const inPlan: readonly Wrong[] = [
  wrong('secret', 'without_data', 'type = "opaque"', /data is missing/),
  wrong('identity', 'without_gvc', '', /gvc is missing/),
];

function resource({ name, type, wrong: text }: Wrong): string {
  const hasName = type === 'gantry_domain' ? `${name.replaceAll('_', '-')}.example.com` : name.replaceAll('_', '-');
  return `resource "${type}" "${name}" {\nname = "${hasName}"\n${text}\n}\n`;
}

/** All messages, by the resource whose lines they point to. */
function messagesOf(text: string, lines: readonly string[]): ReadonlyMap<string, string> {
  const report: unknown = JSON.parse(text);
  const all = new Map<string, string>();
  const diagnostics = isObject(report) && isArray(report['diagnostics']) ? report['diagnostics'] : [];
  for (const each of diagnostics.filter(isObject)) {
    const line = Number(objectAt(objectAt(each, 'range'), 'start')['line']);
    const above = lines.slice(0, line).findLast((one) => one.startsWith('resource '));
    const name = /"([^"]*)" \{$/.exec(above ?? '')?.[1] ?? '';
    const detail = stringAt(each, 'detail') ?? '';
    all.set(name, `${all.get(name) ?? ''}\n${stringAt(each, 'summary') ?? ''}: ${detail.replaceAll('\n', ' ')}`);
  }
  return all;
}

describeTerraform('wrong configurations', () => {
  const terraform = useTerraform('wrong');

  it.each([
    ['a name that is in no schema is found by validate, at any depth', misspelt],
    ['a value that the platform would refuse is found by validate', invalid],
  ])('%s', async (folder, cases) => {
    const project = terraform.project(folder.slice(0, 12).replaceAll(' ', '-'));
    project.write(cases.map(resource).join('\n'));
    const { text } = await project.run('validate', '-json');
    const messages = messagesOf(text, readFileSync(`${project.folder}/main.tf`, 'utf8').split('\n'));
    const missed = cases.filter(({ name, says }) => !says.test(messages.get(name) ?? ''));
    expect(missed.map(({ name }) => `${name}: ${messages.get(name)}`)).toEqual([]);
  });

  it.each(inPlan)('$name is found by the plan, which names the missing value', async (each) => {
    const project = terraform.project(each.name);
    project.write(resource(each));
    terraform.requests.length = 0;
    const { code, text } = await project.run('plan', '-no-color');
    expect(code).toBe(1);
    expect(text).toMatch(each.says);
    expect(terraform.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
  });
});
