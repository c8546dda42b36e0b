import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  dataExample,
  ephemeralExamples,
  functionExamples,
  listExample,
  partExamples,
  resourceExample,
} from '../../../scripts/reference/examples.ts';
import { requirements } from '../../../src/hcl/configuration/cliConfiguration.ts';
import { schemaJson } from '../../../src/hcl/configuration/schemaJson.ts';
import { nativeSyntax } from '../../../src/hcl/configurationText.ts';
import { providerSource } from '../../../src/hcl/provider.ts';
import { providerSchema } from '../../../src/hcl/schema/providerSchema.ts';
import { reattachValue } from '../../../src/provider/host/handshake.ts';
import { type PluginServer, startPluginServer } from '../../../src/provider/host/pluginServer.ts';
import { makeHandlers, type Provider } from '../../../src/provider/services/makeHandlers.ts';
import { creatableKinds, readOnlyKinds, writtenKinds } from '../../../src/schema/record/kinds.ts';
import { type RunningServer, startServer } from '../../../src/server/start.ts';
import { version } from '../../../src/terminal/version.ts';
import { runCli } from '../../cli/process.ts';
import { linkPackages } from '../../cli/projectFolder.ts';
import { everythingText } from '../../hcl/hcl/configurations.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { makeProject, type Project } from '../harness/terraform.ts';

const shop = new URL('../../../examples/shop', import.meta.url).pathname;

/** The output of `gantry terraform`, used by the real terraform. */
describeTerraform('the real terraform accepts', () => {
  const folder = temporaryFolder('terraform-takes');
  let platform: RunningServer;
  let provider: Provider;
  let plugin: PluginServer;
  let environment: Readonly<Record<string, string>>;
  let gantry: Readonly<Record<string, string>>;

  beforeAll(async () => {
    platform = await startServer({ port: 0, noAuth: true, org: 'acme' });
    gantry = { GANTRY_ENDPOINT: platform.url, GANTRY_ORG: 'acme', GANTRY_TOKEN: 'any' };
    provider = makeHandlers({ environment: gantry, cwd: folder });
    plugin = await startPluginServer({ handlers: async () => provider.handlers });
    environment = { TF_REATTACH_PROVIDERS: reattachValue(providerSource, plugin.address, process.pid) };
  });
  afterAll(async () => {
    await provider.close();
    await plugin.close();
    await platform.close();
  });

  function projectWith(name: string, file: string, text: string): Project {
    const project = makeProject(join(folder, name), environment);
    writeFileSync(join(project.folder, file), text);
    return project;
  }

  test('the examples of all reference pages, already in its own format; and the same schema', async () => {
    const examples = [
      ...writtenKinds.map((kind) => resourceExample(kind).text),
      ...[...creatableKinds, ...readOnlyKinds].flatMap((kind) => [dataExample(kind), listExample(kind)]),
      ...Object.values(partExamples).map(({ text }) => text),
      ...Object.values(ephemeralExamples),
      ...Object.values(functionExamples),
    ];
    const text = [nativeSyntax([requirements(version)]), ...examples].join('\n');
    const project = projectWith('examples', 'main.tf', text);
    mkdirSync(join(project.folder, 'layout'));
    writeFileSync(join(project.folder, 'layout/main.tf'), everythingText);
    expect(await project.run('fmt', '-check', '-diff', '-recursive')).toEqual({ code: 0, text: '' });
    expect(await project.run('validate', '-no-color')).toMatchObject({ code: 0 });
    const { text: printed } = await project.run('providers', 'schema', '-json');
    expect(JSON.parse(printed)).toEqual(schemaJson(providerSchema(), providerSource));
  });

  test('a stack that is synthesized to Terraform', async () => {
    const { code, stdout, stderr } = await runCli(['synth', shop, '--as', 'terraform'], folder);
    expect(code, stderr).toBe(0);
    const project = projectWith('synth', 'cdk.tf.json', stdout);
    expect(await project.run('validate', '-no-color')).toMatchObject({ code: 0 });
  });

  test('a stack with references to live values and outputs: it applies them, and then plans nothing', async () => {
    const text = (inner: string) => `\${live.${inner}}`;
    const manifests = [
      { kind: 'gvc', name: 'taken', spec: { staticPlacement: { locationLinks: ['//location/aws-eu-central-1'] } } },
      ...['web', 'api'].map((name) => ({
        kind: 'workload',
        name,
        gvc: 'taken',
        spec: {
          type: 'serverless',
          containers: [
            {
              name: 'main',
              image: `${name}:1`,
              ports: [{ number: 8080, protocol: 'http' }],
              env:
                name === 'web'
                  ? []
                  : [
                      { name: 'WEB', value: `${text('workload/taken/web:status.canonicalEndpoint')}/v1` },
                      { name: 'IMAGE', value: text('workload/taken/web:spec.containers.main.image') },
                      { name: 'VERSION', value: `v${text('gvc/taken:version')}` },
                      { name: 'TEXT', value: '$${live.x}' },
                    ],
            },
          ],
        },
      })),
      { kind: 'output', name: 'url', value: text('workload/taken/web:status.canonicalEndpoint'), description: 'Web' },
      { kind: 'output', name: 'parts', value: { api: text('workload/taken/api:name'), list: ['a', 1] } },
      { kind: 'output', name: 'hidden', value: 'of-nobody', sensitive: true },
    ];
    writeFileSync(join(folder, 'taken.json'), JSON.stringify(manifests));
    const { code, stdout, stderr } = await runCli(['synth', 'taken.json', '--as', 'terraform'], folder, '', gantry);
    expect(code, stderr).toBe(0);
    expect(stdout).not.toContain('of-nobody');
    const project = projectWith('taken', 'cdk.tf.json', stdout);
    const given = ['-no-color', '-var', 'output_hidden=of-nobody'];
    expect(await project.run('apply', '-auto-approve', ...given)).toMatchObject({ code: 0 });
    const outputs = JSON.parse((await project.run('output', '-json')).text);
    expect(outputs.url.value).toMatch(/^https:\/\/web-/);
    expect(outputs.parts.value).toEqual({ api: 'api', list: ['a', 1] });
    expect(outputs.hidden).toMatchObject({ sensitive: true, value: 'of-nobody' });
    const api = await runCli(['workload', 'get', 'api', '--gvc', 'taken', '-o', 'json'], folder, '', gantry);
    const env = JSON.parse(api.stdout).spec.containers[0].env;
    expect(Object.fromEntries(env.map((each: { name: string; value: string }) => [each.name, each.value]))).toEqual({
      WEB: `${outputs.url.value}/v1`,
      IMAGE: 'web:1',
      VERSION: 'v1',
      TEXT: '${live.x}',
    });
    expect(await project.run('plan', '-detailed-exitcode', ...given)).toMatchObject({ code: 0 });
  });

  test('an exported live stack: it imports everything without a change, and `gantry` adopts everything back', async () => {
    const project = makeProject(join(folder, 'live'), environment);
    const cli = (...args: readonly string[]) => runCli(args, project.folder, '', gantry);
    const applied = await cli('apply', shop, '--yes');
    expect(applied.code, applied.stderr).toBe(0);
    const exported = await cli('terraform', 'export', '--stack', 'shop', '--out', 'main.tf');
    expect(exported.code, exported.stderr).toBe(0);

    const imported = await project.run('apply', '-auto-approve', '-no-color');
    expect(imported.text).toContain('12 imported, 0 added, 0 changed, 0 destroyed');
    expect(await project.run('plan', '-detailed-exitcode', '-no-color')).toMatchObject({ code: 0 });

    const back = await cli('terraform', 'from-state', 'terraform.tfstate', '--from', 'shop', '--out', 'back.yaml');
    expect(back.code, back.stderr).toBe(0);
    expect(readFileSync(join(project.folder, 'back.yaml'), 'utf8')).not.toContain('development-only');
    // The export omits values that equal their defaults; in both languages they count as live.
    const code = await cli(
      'terraform',
      'from-state',
      'terraform.tfstate',
      '--from',
      'shop',
      '--format',
      'ts',
      '--out',
      'back.ts',
    );
    expect(code.code, code.stderr).toBe(0);
    linkPackages(project.folder);
    writeFileSync(join(project.folder, 'package.json'), '{"type": "module"}');
    const inStack = [['back.yaml', '--stack', 'live'], ['back.ts']];
    for (const input of inStack) {
      const plan = await cli('plan', ...input);
      expect(plan.stdout + plan.stderr).toMatch(/^Plan: 12 to adopt\./m);
    }
    // The next steps are run exactly as they are printed.
    const [, apply = '', forget = ''] =
      /^Next: gantry (.*)\nThen have Terraform forget them: terraform (.*)$/m.exec(back.stderr) ?? [];
    const adopted = await cli(...apply.split(' '), '--yes');
    expect(adopted.code, adopted.stderr).toBe(0);
    for (const input of inStack) {
      expect(await cli('plan', ...input, '--detailed-exitcode')).toMatchObject({ code: 0 });
    }
    // The adopted records keep their ids, so the state still matches them.
    expect(await project.run('plan', '-detailed-exitcode', '-no-color')).toMatchObject({ code: 0 });
    expect(await project.run(...forget.split(' '))).toMatchObject({ code: 0 });
    expect((await project.run('state', 'list')).text).toBe('');
  });
});
