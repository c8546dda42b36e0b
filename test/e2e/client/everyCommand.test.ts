import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { makeClientProgram } from '../../../src/cli/client/parseClientLine.ts';
import { rowsOf } from '../../../src/cli/client/table/rows.ts';
import { nouns } from '../../../src/cli/line/nouns.ts';
import { isObject } from '../../../src/schema/json/json.ts';
import { isCreatableKind } from '../../../src/schema/record/kinds.ts';
import { succeeded } from '../../outcome.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';
import { usePlatform } from '../harness/usePlatform.ts';

const platform = usePlatform();
const cwd = temporaryFolder('client');
const gvc = ['--gvc', 'shop'];

function run(args: readonly string[], input = '') {
  return inProcess(platform, args, { cwd, input });
}

interface Line {
  readonly line: string;
  readonly input?: string;
  /** What the text output says. */
  readonly says?: RegExp;
}

/** One call of every command, in an order in which each has what it needs. Words are separated by blanks. */
const lines: readonly Line[] = [
  { line: 'gvc create --name shop --location aws-us-west-2 --env A=b --tag team=web', says: /^shop .*team=web$/ },
  { line: 'gvc get', says: /^NAME +DESCRIPTION +CREATED +ALIAS +DOMAIN +LOCATIONS +TAGS$/ },
  { line: 'gvc query --tag team=web', says: /^shop / },
  { line: 'gvc update shop --set spec.env.A.value=c', says: /^shop / },
  { line: 'gvc tag shop --tag n=5', says: /n=5/ },
  { line: 'gvc patch shop --file -', input: 'description: new', says: /^shop +new / },
  { line: 'gvc clone shop --name copy', says: /^copy +Clone of shop / },
  { line: 'gvc add-location copy --location aws-eu-central-1', says: /aws-us-west-2 aws-eu-central-1/ },
  { line: 'gvc remove-location copy --location aws-us-west-2', says: / aws-eu-central-1 / },
  { line: 'gvc permissions', says: /^edit +.*view$/ },
  { line: 'gvc access-report shop', says: /^PERMISSION +PRINCIPAL +GRANTED THROUGH$/ },
  { line: 'gvc eventlog shop' },
  { line: 'gvc audit shop --since 1h', says: /create +1 +OK/ },
  { line: 'volumeset create --name data --gvc shop', says: /general-purpose-ssd +xfs/ },
  { line: 'identity create --name ident --gvc shop', says: /^ident / },
  {
    line: 'workload create --name web --gvc shop --image shop/web:1 --public --identity ident --env A=b',
    says: /^web /,
  },
  {
    line: 'workload create --name dbase --gvc shop --image db:1 --type stateful --volume scheme://volumeset/data:/data',
    says: /^dbase /,
  },
  { line: 'workload create --name job --gvc shop --image job:1 --type cron --schedule @daily', says: /^job / },
  { line: 'workload get --gvc shop', says: /^NAME +DESCRIPTION +GVC +READY +CREATED +ENDPOINT +TAGS$/ },
  { line: 'workload stop web --gvc shop' },
  { line: 'workload start web --gvc shop' },
  { line: 'workload force-redeployment web --gvc shop', says: /scheme\/deployTimestamp/ },
  { line: 'workload get-deployments web --gvc shop', says: /^aws-us-west-2 / },
  { line: 'workload replica get web --gvc shop' },
  { line: 'workload cron start job --gvc shop --wait', says: /runCronWorkload +completed/ },
  { line: 'workload cron get job --gvc shop', says: /Success/ },
  { line: 'workload cron run --image busybox:1 --gvc shop --name once', says: /runCronWorkload/ },
  { line: 'volumeset volume get data --gvc shop', says: /^aws-us-west-2 +0 / },
  { line: 'volumeset expand data --gvc shop --new-size 20 --wait', says: /expandVolume +completed/ },
  { line: 'volumeset snapshot create data --gvc shop --snapshot-name one --wait', says: /completed/ },
  { line: 'volumeset snapshot get data --gvc shop', says: /^one / },
  { line: 'volumeset snapshot restore data --gvc shop --snapshot-name one --yes --wait', says: /completed/ },
  { line: 'volumeset snapshot delete data --gvc shop --snapshot-name one --yes --wait', says: /completed/ },
  { line: 'volumeset shrink data --gvc shop --new-size 12 --yes --wait', says: /shrinkVolume +completed/ },
  { line: 'volumeset volume delete data --gvc shop --yes --wait', says: /deleteVolume +completed/ },
  { line: 'identity get --all-gvcs', says: /^ident +ident +shop/ },
  { line: 'ipset create --name ips --location aws-us-west-2', says: /^ips / },
  { line: 'ipset add-location ips --location aws-eu-central-1,free', says: /aws-us-west-2 aws-eu-central-1/ },
  { line: 'ipset update-location ips --location aws-eu-central-1,keep', says: /aws-eu-central-1/ },
  { line: 'ipset remove-location ips --location aws-eu-central-1', says: / aws-us-west-2$/ },
  { line: 'serviceaccount create --name bot', says: /^bot / },
  { line: 'serviceaccount add-key bot --description ci', says: /ci +.* s\S+\.\S+\.\S+$/ },
  { line: 'group create --name team --query-property email=ann@example.com', says: /email=ann@example\.com/ },
  { line: 'group add-member team --serviceaccount bot', says: / bot / },
  { line: 'group remove-member team --serviceaccount bot', says: /^team / },
  { line: 'policy create --name rights --target-kind gvc --all', says: / gvc / },
  { line: 'policy add-binding rights --permission view --principal group/team', says: / 1 / },
  { line: 'policy remove-binding rights --permission view --principal group/team', says: / 0 / },
  { line: 'auditctx create --name trail', says: /^trail / },
  { line: 'auditctx audit trail' },
  { line: 'secret create-opaque --name opaque --payload - --encoding plain', input: 'hidden-value\n', says: /opaque/ },
  { line: 'secret reveal opaque', says: /^payload: hidden-value$/ },
  { line: 'secret create-dictionary --name dictionary --entry a=b', says: /dictionary/ },
  { line: 'secret create-userpass --name userpass --username u --password p', says: /userpass/ },
  { line: 'secret create-azure-connector --name connector --url https://x.example --code c', says: /azure-connector/ },
  { line: 'domain create --name example.com', says: /^example\.com / },
  { line: 'agent create --name agent-one', says: /^agent-one/ },
  {
    line: 'cloudaccount create --name account --provider aws --role-arn arn:aws:iam::123456789012:role/x',
    says: /^account/,
  },
  { line: 'location create --name own', says: / byok / },
  { line: 'location get aws-us-west-2', says: /^aws-us-west-2 .*aws +true/ },
  { line: 'task get-mine' },
  { line: 'org get', says: /^local / },
  { line: 'user get', says: /^admin@example\.com / },
  { line: 'quota get', says: /^agents / },
  { line: 'image get' },
  { line: 'rest get //gvc/shop', says: /"name": "shop"/ },
  { line: 'rest patch //gvc/shop --file -', input: '{"description": "by rest"}', says: /by rest/ },
  { line: 'rest create //auditctx --file -', input: 'name: by-rest', says: /"name": "by-rest"/ },
  { line: 'rest post //auditctx --file -', input: 'name: by-post', says: /"name": "by-post"/ },
  { line: 'rest put //auditctx/by-post --file -', input: '{name: by-post, description: put}', says: /put/ },
  { line: 'completion bash', says: /^complete -o default -F _gantry gantry$/ },
  { line: 'completion zsh', says: /^compdef _gantry gantry$/ },
  { line: 'completion fish', says: /^complete -c gantry / },
  { line: 'completion powershell', says: /^Register-ArgumentCompleter / },
  { line: 'gvc delete-all-workloads shop --yes', says: /Deleted .*\/workload\/web/ },
  { line: 'rest delete //ipset/ips --yes' },
  { line: 'gvc delete copy --yes', says: /Deleted gvc 'copy'/ },
];

/** In one test, because each line needs those before it. */
test('every command does what it says, as text', async () => {
  const wrong: string[] = [];
  for (const { line, input, says = '' } of lines) {
    const { code, stdout, stderr } = await run(line.split(' '), input);
    const isAsSaid = new RegExp(says, 'm').test(stdout);
    if (code !== 0 || !isAsSaid) wrong.push(`gantry ${line}: ${code}\n${stdout}${stderr}`);
  }
  expect(wrong).toEqual([]);
}, 120_000);

const listed = ['gvc', 'workload', 'identity', 'volumeset', 'secret', 'group', 'policy', 'location', 'quota', 'user'];

describe.each(listed)('gantry %s get', (kind) => {
  const get = (format: string) => succeeded(run([kind, 'get', ...gvc, '-o', format]));

  test('-o json and yaml are the same document, with whole records', async () => {
    const [json, yaml] = await Promise.all([get('json'), get('yaml')]);
    const document: unknown = JSON.parse(json.stdout);
    expect(document).toMatchObject({ kind: 'list', itemKind: kind, items: expect.any(Array) });
    expect(load(yaml.stdout)).toEqual(document);
  });

  test('-o json-slim and yaml-slim go without what the platform sets', async () => {
    const [json, yaml] = await Promise.all([get('json-slim'), get('yaml-slim')]);
    const document: unknown = JSON.parse(json.stdout);
    expect(load(yaml.stdout)).toEqual(document);
    const own = ['id', 'version', 'created', 'lastModified', 'links', 'status', 'alias', 'origin', 'digest'];
    for (const item of itemsOf(document)) expect(own.filter((key) => Object.hasOwn(item, key))).toEqual([]);
  });

  test('-o names is one name a line, the names of the document', async () => {
    const [names, json] = await Promise.all([get('names'), get('json')]);
    const expected = itemsOf(JSON.parse(json.stdout)).map((item) => `${item['name']}\n`);
    expect(names.stdout).toBe(expected.join(''));
  });

  test('-o tf and crd are what the exporters of the platform write', async () => {
    const [tf, crd, json] = await Promise.all([get('tf'), get('crd'), get('json')]);
    const { length } = itemsOf(JSON.parse(json.stdout));
    // What Terraform cannot declare has no resource there.
    if (isCreatableKind(kind)) expect(tf.stdout.split(/^resource "/m).length - 1).toBeGreaterThanOrEqual(length);
    expect(crd.stdout.split(/^kind: /m).length - 1).toBe(length);
  });
});

function itemsOf(document: unknown) {
  const items = isObject(document) ? document['items'] : undefined;
  return Array.isArray(items) ? items.filter(isObject) : [];
}

test('every command of every noun is run by a test', () => {
  const text = lines.map(({ line }) => line);
  const generic = new Set(rowsOf('gvc').map(({ verb }) => verb));
  const missing = nouns.flatMap((noun) =>
    rowsOf(noun)
      .map(({ verb }) => verb)
      .filter((verb) => !text.some((line) => line.startsWith(`${noun} ${verb}`)))
      // What all kinds have is the same code: one kind stands for all.
      .filter((verb) => !(generic.has(verb) && noun !== 'gvc'))
      .map((verb) => `${noun} ${verb}`),
  );
  expect(missing.filter((each) => !elsewhere.includes(each))).toEqual([]);
});

/** Run by other tests of this folder. */
const elsewhere = [
  'gvc edit',
  'workload cron stop',
  'workload replica stop',
  'serviceaccount remove-key',
  'task complete',
  ...rowsOf('profile').map(({ verb }) => `profile ${verb}`),
  ...['aws', 'azure-sdk', 'docker', 'ecr', 'gcp', 'keypair', 'nats-account', 'tls'].map(
    (type) => `secret create-${type}`,
  ),
];

test('only the noun that is named is declared', () => {
  const program = makeClientProgram('gvc', async () => {});
  expect(program.commands.map((command) => command.name())).toEqual(['gvc']);
});
