import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCertificate } from '../../../src/provider/host/certificate.ts';
import { listenOnLoopback } from '../../harness/loopback.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { inProcess } from '../harness/inProcess.ts';

const cwd = temporaryFolder('client-failures');
const mebibyte = 1024 * 1024;
const servers: Server[] = [];
let sent: string[] = [];
/** The address of the side services in `/discovery`. */
let elsewhere = '';

/** The answers of the server, by the org in the path. */
const answers: Readonly<Record<string, RequestListener>> = {
  html: (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><html><body>Sign in to the proxy</body></html>');
  },
  cut: (_, response) => response.end('{"kind": "list", "items": [{"na'),
  huge: (_, response) => {
    const chunk = Buffer.alloc(mebibyte, 32);
    let left = 60;
    const more = () => {
      while (left > 0) {
        left -= 1;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
      response.end();
    };
    response.once('error', () => {});
    more();
  },
  sided: (request, response) => {
    const self = { rel: 'self', href: request.url };
    const items = [{ name: 'aws-us-west-2', status: { remote: elsewhere } }];
    response.end(JSON.stringify({ kind: 'gvc', name: 'shop', id: 'x', version: 1, links: [self], items }));
  },
  // Refuses the second of two writes.
  partly: (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const links = (name: string) => [{ rel: 'self', href: `${path}/${name}` }];
    const spec = { type: 'standard' };
    const work = (name: string) => ({
      kind: 'workload',
      name,
      id: name,
      version: 1,
      tags: {},
      spec,
      links: links(name),
    });
    const location = (name: string) => ({ name, volumes: [{ index: 0 }] });
    if (request.method === 'GET' && path.endsWith('/workload')) {
      response.end(JSON.stringify({ kind: 'list', items: [work('one'), work('two')], links: [] }));
    } else if (request.method === 'GET') {
      const name = path.split('/').at(-1);
      const status = { locations: [location('one'), location('two')] };
      response.end(JSON.stringify({ name, id: 'x', version: 1, status }));
    } else if (sent.filter((each) => !each.startsWith('GET')).length === 2) refuse(response, 400, 'this one not');
    else response.end(JSON.stringify({ id: 'first', type: 'expandVolume', lifecycleStage: 'pending' }));
  },
  token: (_, response) => refuse(response, 401, 'the token is not known'),
  forbidden: (_, response) => refuse(response, 403, 'the caller lacks the permission (view)'),
  moved: (_, response) => {
    response.writeHead(302, { location: 'https://login.example.com/?secret' });
    response.end();
  },
  broken: (_, response) => refuse(response, 501, 'not here'),
};

function refuse(response: Parameters<RequestListener>[1], status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ status, message, code: 'x', id: 'y' }));
}

const listener: RequestListener = (request, response) => {
  sent.push(`${request.method} ${request.url}`);
  const [, , org = ''] = (request.url ?? '').split('/');
  if (request.url === '/org') {
    response.end(JSON.stringify({ kind: 'list', itemKind: 'org', items: [{ kind: 'org', name: 'acme' }], links: [] }));
  } else if (request.url === '/discovery') {
    const names = ['audit', 'terraform-exporter', 'k8s-crd-exporter'];
    response.end(JSON.stringify({ endpoints: Object.fromEntries(names.map((name) => [name, elsewhere])) }));
  } else (answers[org] ?? ((_, reply) => refuse(reply, 404, 'there is nothing')))(request, response);
};

function listen(server: Server): Promise<number> {
  servers.push(server);
  return listenOnLoopback(server);
}

let [http, https] = ['', ''];
beforeAll(async () => {
  http = `http://127.0.0.1:${await listen(createServer(listener))}`;
  const { key, certificate: cert } = makeCertificate(new Date());
  https = `https://127.0.0.1:${await listen(createTlsServer({ key, cert }, listener))}`;
});
afterAll(() =>
  Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve).closeAllConnections()))),
);

async function run(args: readonly string[], endpoint = http) {
  sent = [];
  const { code, stdout, stderr } = await inProcess(
    undefined,
    [...args, '--endpoint', endpoint, '--token', 'key-of-mine'],
    { cwd },
  );
  return { code, stdout, said: stderr, document: args.includes('json') ? JSON.parse(stdout) : undefined };
}

describe('an unusable answer', () => {
  test.each(
    // biome-ignore format: a row is a case
    [
      { org: 'html', code: 'api.bad-reply', exit: 1, says: /HTML page, perhaps from a proxy, not JSON/ },
      { org: 'cut', code: 'api.bad-reply', exit: 1, says: /no JSON, or was cut off/ },
      { org: 'huge', code: 'api.too-large', exit: 1, says: /the answer is larger than 32 MiB/ },
      { org: 'token', code: 'api.unauthorized', exit: 1, says: /Check the token: --token/ },
      { org: 'forbidden', code: 'api.forbidden', exit: 1, says: /lacks the permission \(view\)/ },
      { org: 'moved', code: 'api.redirect', exit: 1,
        says: /redirect to https:\/\/login\.example\.com, which is not followed/ },
      { org: 'acne', code: 'api.not-found', exit: 1,
        says: /there is no org "acne" that this token can see\n.*Did you mean --org acme\?/ },
    ],
  )('$org: $code', async ({ org, code, exit, says }) => {
    const [text, json] = [
      await run(['gvc', 'get', '--org', org]),
      await run(['gvc', 'get', '--org', org, '-o', 'json']),
    ];
    expect(text).toMatchObject({ code: exit, stdout: '' });
    expect(text.said).toMatch(says);
    expect(text.said.split('\n').length).toBeLessThanOrEqual(3);
    expect(text.said).not.toContain('key-of-mine');
    expect(json.code).toBe(exit);
    expect(json.document).toMatchObject({ error: { code, retry: 'no' } });
  });

  test('a refused connection is api.unavailable, with exit code 6', async () => {
    const { code, said } = await run(['gvc', 'get', '--org', 'acme'], 'http://127.0.0.1:1');
    expect(code).toBe(6);
    expect(said).toContain('error api.unavailable: cannot connect to 127.0.0.1:1: connection refused\n');
  });

  test('an untrusted certificate is api.tls with a hint how to trust it, and --insecure accepts it', async () => {
    const { code, said } = await run(['gvc', 'get', '--org', 'token'], https);
    expect(code).toBe(1);
    expect(said).toMatch(
      /api\.tls: cannot connect to 127\.0\.0\.1:\d+: its certificate is self-signed\n.*NODE_EXTRA_CA_CERTS=FILE.*--insecure/,
    );
    expect(sent).toEqual([]);
    const insecure = await run(['gvc', 'get', '--org', 'token', '-k'], https);
    expect(insecure.said).toContain('api.unauthorized');
  });

  test('TLS to a platform that speaks plain HTTP is api.tls, with a hint to use http:', async () => {
    const { said } = await run(['gvc', 'get', '--org', 'acme'], http.replace('http:', 'https:'));
    expect(said).toMatch(/api\.tls: .*\n.*Use an endpoint that begins with http:/);
  });
});

test('a failure still reports what was done before it', async () => {
  const all = await run(['gvc', 'delete-all-workloads', 'shop', '--yes', '--org', 'partly']);
  expect(all).toMatchObject({ code: 1, stdout: 'Deleted /org/partly/gvc/shop/workload/one\n' });
  expect(all.said).toContain('this one not');
  const expanded = await run('volumeset expand data --gvc g --new-size 20 -o json --org partly'.split(' '));
  expect(expanded.code).toBe(1);
  expect(expanded.document).toMatchObject({
    items: [{ id: 'first' }],
    error: {
      code: 'api.several',
      message: expect.stringMatching(/^1 of 2 commands were accepted, and then: api.invalid: .*this one not$/),
    },
  });
});

test('a side service on another host is refused without a request, because the token is for the endpoint only', async () => {
  const asked: string[] = [];
  const other = createServer((request, response) => {
    asked.push(String(request.url));
    response.end('{}');
  });
  elsewhere = `http://127.0.0.1:${await listen(other)}`;
  for (const line of ['gvc audit', 'gvc get shop -o tf', 'gvc get shop -o crd', 'workload replica get web --gvc g']) {
    const { code, said } = await run([...line.split(' '), '--org', 'sided']);
    expect(code).toBe(1);
    expect(said).toMatch(
      /api\.bad-reply: the service [\w -]+ cannot be used: it is at http:\S+, and the token is sent to the endpoint only/,
    );
  }
  expect(asked).toEqual([]);
});

/** Nothing is sent; one line says what is wrong, another how to correct it. */
// biome-ignore format: a row is a case
test.each([
  { line: 'gvc', says: /no command is given\n.*Available: access-report/ },
  { line: 'gvc gte', says: /no command 'gte' of gantry gvc\n.*Did you mean gantry gvc get\?/ },
  { line: 'workload ls', says: /no command 'ls' of gantry workload\n.*Did you mean gantry workload get\?/ },
  { line: 'secret rm x', says: /no command 'rm' of gantry secret\n.*Did you mean gantry secret delete\?/ },
  { line: 'gvc create shop', says: /too many arguments.*\n.*Write the name as --name NAME; see gantry gvc create/ },
  { line: 'gvc create --nam x', says: /unknown option '--nam'\n.*Did you mean --name\?/ },
  {
    line: 'workload exec web',
    says: /no command 'exec' of gantry workload\n.*The platform's API opens no shells, copies no files and forwards no ports/,
  },
  { line: 'gvc get --tokn=secret-token', says: /unknown option '--tokn'\n.*Did you mean --token\?/ },
  { line: 'gvc get --maxx 3', says: /unknown option '--maxx'\n.*Did you mean --max\?/ },
  { line: 'gvc access-report shop -o names', says: /access-report has no -o names\n.*It has text, json, yaml/ },
  { line: 'volumeset expand data --new-size 20 -o tf', says: /gantry volumeset expand has no -o tf/ },
  { line: 'gvc -o tf delete shop --yes', says: /gantry gvc delete has no -o tf/ },
  { line: 'rest post //gvc --file - -o names', says: /gantry rest post has no -o names/ },
  { line: 'secret create-opaque --name s', says: /--payload VALUE is missing/ },
  { line: 'profile', says: /no command is given\n.*Available: create, update/ },
  { line: 'volumeset snapshot', says: /no command is given\n.*Available: / },
  { line: 'volumeset snapshot crate data', says: /no command 'snapshot crate'.*\n.*volumeset snapshot create\?/ },
  { line: 'workload create --name w --gvc g --image x --type crn', says: /--type must be .* or cron, not "crn"/ },
  { line: 'gvc create --name x --location', says: /option '--location <name>' argument missing/ },
  { line: 'gvc get --ts never', says: /--ts must be iso, local or age, not "never"/ },
  { line: 'gvc create', says: /--name NAME is missing\n.*Give --name NAME, or --file FILE/ },
  { line: 'gvc create --file g.yaml --location x', says: /--location cannot be combined with --file\n.*Write it into/ },
  { line: 'workload create -f w.yaml --gvc g --port 8080', says: /--port cannot be combined with --file/ },
  { line: 'gvc clone shop', says: /--name NAME is missing\n.*gantry gvc clone --help/ },
  { line: 'gvc add-location shop', says: /--location NAME is missing/ },
  { line: 'gvc delete', says: /missing required argument 'ref'/ },
  { line: 'gvc get -o xml', says: /--output must be text, json.*, not "xml"/ },
  { line: 'gvc get --max many', says: /'many' is invalid\. It must be a whole number/ },
  { line: 'gvc query --match some', says: /--match must be all, any or none, not "some"/ },
  { line: 'gvc update shop', says: /no field to change is named\n.*--set PATH=VALUE/ },
  { line: 'gvc update shop --set spec.evn.A.value=b', says: /no field spec\.evn\n.*Did you mean spec\.env\?/ },
  { line: 'gvc tag shop', says: /no tag is named/ },
  { line: 'gvc audit --since 1d --from 2d', says: /--since excludes --from and --to/ },
  { line: 'gvc audit --since soon', says: /--since soon is not a valid time/ },
  { line: 'workload get',
    says: /a workload belongs to a GVC, and none was given\n.*--gvc NAME.*gantry gvc get lists them/ },
  { line: 'volumeset expand data --gvc shop', says: /--new-size GB is missing/ },
  { line: 'gvc get a/b', says: /"a\/b" is not a valid name/ },
  { line: 'gvc get /etc/passwd', says: /is not a valid link to a gvc\n.*Give NAME or \/\/gvc\/NAME/ },
  { line: 'group add-member team', says: /no member is named/ },
  { line: 'task complete 5 --answer maybe', says: /--answer must be accept or reject, not "maybe"/ },
  { line: 'rest get gvc', says: /"gvc" is not a valid path/ },
  { line: 'rest post //gvc', says: /the body is missing\n.*--file FILE/ },
  { line: 'rest put', says: /the path or the file is missing\n.*Give a PATH, or --file FILE/ },
  { line: 'volumeset snapshot create data --gvc g --snapshot-name s --expires soon',
    says: /--expires soon is not a valid time\n.*ISO 8601, or how long it is kept/ },
  { line: 'rest get //gvc --file x', says: /unknown option '--file'/ },
  { line: 'workloda get', says: /unknown command 'workloda'\n.*Did you mean workload\?/ },
  { line: 'gvc edit shop', says: /no editor is set\n.*EDITOR=vi/ },
  { line: 'workload logs web --gvc g --since soon', says: /--since soon is not a valid time/ },
  { line: 'gvc get --words platform', says: /--words platform cannot be combined with -o text\n.*json, yaml/ },
  { line: 'policy create --name p --target-kind identity --target app',
    says: /--target: .*\n.*--gvc NAME, GANTRY_GVC/ },
  { line: 'volumeset create --name v --gvc g --initial-capacity much',
    says: /'much' is invalid\. It must be a number/ },
  { line: 'volumeset volume get data --gvc g --volume-index one', says: /'one' is invalid/ },
  { line: 'gvc create --name x --locaton=y', says: /unknown option '--locaton.*'\n.*Did you mean --location\?/ },
  { line: 'rest post /org/x\u0007y --file -', says: /is not a valid path\n.*begins with \// },
  { line: 'gvc get --watch -o json', says: /--watch cannot be combined with -o json/ },
])('gantry $line', async ({ line, says }) => {
  const { code, stdout, said } = await run([...line.split(' '), '--org', 'acme']);
  expect(code).toBe(64);
  if (!line.includes('json')) expect(stdout).toBe('');
  expect(said).toMatch(says);
  expect(said.trimEnd().split('\n')).toHaveLength(2);
  expect(sent).toEqual([]);
});

test.each([
  { input: '', says: 'standard input is empty' },
  { input: '[1]', says: 'standard input:1:1: this is not an object' },
  { input: 'a: [', says: 'standard input:' },
  { input: '# nothing', says: 'standard input is empty' },
  { input: 'name: a\n---\nname: b', says: 'standard input has 2 documents where one is expected' },
  { input: '{kind: group}', says: 'standard input is a group, not a gvc' },
])('an invalid record on standard input is refused: $input', async ({ input, says }) => {
  const args = ['gvc', 'create', '--file', '-', '--endpoint', http, '--token', 't', '--org', 'acme'];
  const { stderr } = await inProcess(undefined, args, { cwd, input });
  expect(stderr).toContain(`: ${says}`);
});

test.each(['name: a\n---\n[1]', 'name: a\n\ntags: {]'])(
  'the document of a wrong text has its line: %j',
  async (input) => {
    const args = ['gvc', 'create', '--file', '-', '--endpoint', http, '--token', 't', '--org', 'acme', '-o', 'json'];
    const { stdout } = await inProcess(undefined, args, { cwd, input });
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'input.file', place: { file: '-', line: 3 } } });
  },
);

test('a usage error is a document with -o json and -o json-slim', async () => {
  for (const format of ['json', 'json-slim']) {
    const { code, stdout } = await run(['gvc', 'clone', 'shop', '-o', format]);
    expect(code).toBe(64);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'cli.usage', retry: 'no' } });
  }
});
