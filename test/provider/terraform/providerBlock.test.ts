import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { providerSource } from '../../../src/hcl/provider.ts';
import { makeCertificate } from '../../../src/provider/host/certificate.ts';
import { reattachValue } from '../../../src/provider/host/handshake.ts';
import { type PluginServer, startPluginServer } from '../../../src/provider/host/pluginServer.ts';
import { makeHandlers, type Provider } from '../../../src/provider/services/makeHandlers.ts';
import { type RunningServer, startServer } from '../../../src/server/start.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { makeProject, type Project } from '../harness/terraform.ts';

/** The provider block, read by the real terraform. */
describeTerraform('the provider block', () => {
  const folder = temporaryFolder('block');
  let platform: RunningServer;
  let provider: Provider;
  let plugin: PluginServer;
  let project: Project;
  beforeAll(async () => {
    platform = await startServer({ port: 0, token: 'sesame', org: 'acme', readyAfterMs: 0 });
    provider = makeHandlers({ environment: {}, cwd: folder });
    plugin = await startPluginServer({ handlers: async () => provider.handlers });
    const reattach = reattachValue(providerSource, plugin.address, process.pid);
    project = makeProject(folder, { TF_REATTACH_PROVIDERS: reattach });
    writeFileSync(join(folder, 'token'), 'sesame\n');
  });
  afterAll(async () => {
    await provider.close();
    await plugin.close();
    await platform.close();
  });

  const gvc = 'resource "gantry_gvc" "main" {\n  name = "main"\n}\n';
  async function plan(block: string, resources = gvc): Promise<string> {
    project.write(`provider "gantry" {\n${block}\n}\n${resources}`);
    // Output without its frames, as one line of words.
    const { text } = await project.run('plan', '-no-color');
    return text.replaceAll(/[│╷╵]/g, ' ').replaceAll(/\s+/g, ' ');
  }
  const here = (more: string): string => `endpoint = "${platform.url}"\n  org = "acme"\n  ${more}`;

  test.each([
    ['token = "sesame"', 'Plan: 1 to add'],
    ['token_file = "token"\n  max_concurrency = 2\n  gvc = "main"', 'Plan: 1 to add'],
    ['token = "sesame"\n  max_risk = "none"', 'Plan: 1 to add'],
    ['token = "nope"', 'Check token and token_file of the provider block'],
    ['token = "sesame"\n  max_concurrency = 99999999999999999999', 'is not a valid number of requests'],
    ['token = "sesame"\n  max_concurrency = "many"', 'a number is required'],
    ['token = "sesame"\n  dialect = "absent.yaml"', 'absent.yaml'],
    ['token = "sesame"\n  profile = "absent"', 'there is no folder for profiles'],
    ['token = "sesame"\n  region = "eu"', 'Unsupported argument'],
  ])('%s', async (block, expected) => {
    const text = await plan(here(block));
    expect(text).toContain(expected);
    expect(text).not.toContain('sesame');
  });

  test('without a platform, without an org, and with an unreachable platform', async () => {
    expect(await plan('org = "acme"')).toContain('Set endpoint or the variable GANTRY_ENDPOINT');
    expect(await plan(`endpoint = "${platform.url}"`)).toContain('Set org or the variable GANTRY_ORG');
    expect(await plan('endpoint = "http://127.0.0.1:9"\n  org = "acme"')).toContain('127.0.0.1:9');
  });

  test('a private certificate authority is refused without ca_file, and accepted with it or with insecure', async () => {
    const { key, certificate } = makeCertificate(new Date());
    writeFileSync(join(folder, 'ca.pem'), certificate);
    const tls = createServer({ key, cert: certificate }, ({ method, url, headers }, response) => {
      const forwarded = request(new URL(url ?? '/', platform.url), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      forwarded.end();
    });
    onTestFinished(() => void tls.close());
    await once(tls.listen(0, 'localhost'), 'listening');
    const address = tls.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const there = (more: string) =>
      `endpoint = "https://localhost:${port}"\n  org = "acme"\n  token = "sesame"\n  ${more}`;
    expect(await plan(there(''))).toContain('ca_file of the provider block, or the variable NODE_EXTRA_CA_CERTS');
    expect(await plan(there('ca_file = "ca.pem"'))).toContain('Plan: 1 to add');
    expect(await plan(there('insecure = true'))).toContain('Plan: 1 to add');
  });

  test('a resource without a gvc has the GVC of the block, or an error that asks for one', async () => {
    const identity = 'resource "gantry_identity" "web" {\n  name = "web"\n}\n';
    expect(await plan(here('token = "sesame"\n  gvc = "main"'), identity)).toContain('+ gvc = "main"');
    expect(await plan(here('token = "sesame"'), identity)).toContain('Set gvc here, or in the provider block.');
  });

  test("an org other than the state's is an error that names both, and -refresh-only keeps the state", async () => {
    const own = makeProject(join(folder, 'orgs'), {
      TF_REATTACH_PROVIDERS: reattachValue(providerSource, plugin.address, process.pid),
    });
    const run = async (org: string, ...args: readonly string[]) => {
      own.write(`provider "gantry" {\n  endpoint = "${platform.url}"\n  org = "${org}"\n  token = "sesame"\n}\n${gvc}`);
      return own.run(...args, '-no-color');
    };
    expect(await run('acme', 'apply', '-auto-approve')).toMatchObject({ code: 0 });
    for (const mode of [['-refresh-only'], ['-destroy', '-refresh=false']]) {
      const { code, text } = await run('nope', 'apply', '-auto-approve', ...mode);
      expect(code, text).toBe(1);
      expect(text).toContain('is in the org acme');
      expect(text).toContain('set to the org nope');
    }
    expect((await own.run('state', 'list')).text).toContain('gantry_gvc.main');
    expect(await run('acme', 'plan', '-detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test('a wrong import id is refused with the right form', async () => {
    const importing = (id: string): Promise<string> =>
      plan(
        here('token = "sesame"'),
        `import {\n  to = gantry_identity.web\n  id = "${id}"\n}\nresource "gantry_identity" "web" {\n  name = "web"\n  gvc = "main"\n}\n`,
      );
    expect(await importing('a/b/c')).toContain('Write GVC/NAME, or NAME with a gvc in the provider block');
    expect(await importing('main/')).toContain('It is empty, or a part of it is.');
    expect(await importing('main/web')).toContain('Cannot import non-existent remote object');
  });
});
