import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { developmentConfiguration } from '../../../src/hcl/configuration/cliConfiguration.ts';
import { startServer } from '../../../src/server/start.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { makeProject } from '../harness/terraform.ts';

const provider = new URL('../../../dist/terraform-provider', import.meta.url).pathname;

/** The provider is installed: its log reaches Terraform through standard error. */
describeTerraform('the provider with TF_LOG', () => {
  const folder = temporaryFolder('log');
  const token = 'token-that-nobody-sees';
  async function logOf(name: string, variables: Readonly<Record<string, string>>): Promise<string> {
    const file = join(folder, `${name}.log`);
    const tooMany = { method: 'POST', path: '/org/*/secret', status: 429, times: 1 };
    const platform = await startServer({ port: 0, token, faults: { seed: 'log', faults: [tooMany] } });
    const project = makeProject(join(folder, name), {
      TEST_RC: developmentConfiguration(provider),
      GANTRY_ENDPOINT: platform.url,
      GANTRY_ORG: 'local',
      GANTRY_TOKEN: token,
      TF_LOG_PATH: file,
      ...variables,
    });
    project.write(
      `resource "gantry_secret" "${name}" {\n  name = "${name}"\n  type = "opaque"\n` +
        '  data {\n    opaque {\n      payload = "value-that-nobody-sees"\n      encoding = "plain"\n    }\n  }\n}\n',
    );
    const { code, text } = await project.run('apply', '-auto-approve', '-no-color');
    await platform.close();
    expect(code, text).toBe(0);
    return readFileSync(file, 'utf8');
  }

  it('logs requests, retries and decisions as structured lines, without a token and without a secret value', async () => {
    const text = await logOf('quiet', { TF_LOG_PROVIDER: 'TRACE', TF_LOG_CORE: 'off' });
    // Terraform prints the facts of a JSON line as `name=value`, in any order.
    const told = (level: string, message: string): readonly string[] =>
      text.split('\n').filter((line) => line.includes(` [${level}] `) && line.includes(`: ${message}: `));
    const posts = told('DEBUG', 'POST /org/local/secret');
    expect(posts).toHaveLength(2);
    for (const post of posts) expect(post).toMatch(/ request_id=[\w-]{36}/);
    expect(posts[0]).toMatch(/ status=429/);
    expect(posts[1]).toMatch(/ attempt=2/);
    expect(posts[1]).toMatch(/ status=201/);
    expect(told('WARN', 'a request is sent again')[0]).toMatch(/ delay_ms=\d+/);
    expect(told('INFO', 'plans to create secret/quiet')[0]).toContain(' resource=secret/quiet');
    expect(told('INFO', 'did create secret/quiet')[0]).toMatch(/ version=1/);
    expect(told('TRACE', 'ApplyResourceChange')[0]).toContain(' type=gantry_secret');
    expect(text).not.toContain('that-nobody-sees');
  });

  it('logs messages of its level and above only', async () => {
    const text = await logOf('info', { TF_LOG_PROVIDER: 'INFO', TF_LOG_CORE: 'off' });
    expect(text).toContain('did create secret/info');
    expect(text).not.toMatch(/\[(DEBUG|TRACE)\]/);
  });
});
