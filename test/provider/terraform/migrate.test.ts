import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { providerSource } from '../../../src/hcl/provider.ts';
import { reattachValue } from '../../../src/provider/host/handshake.ts';
import { type PluginServer, startPluginServer } from '../../../src/provider/host/pluginServer.ts';
import { makeHandlers, type Provider } from '../../../src/provider/services/makeHandlers.ts';
import { type RunningServer, startServer } from '../../../src/server/start.ts';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { inventedSource, startInvented } from '../harness/inventedProvider.ts';
import { makeProject } from '../harness/terraform.ts';

const fixture = new URL('../../hcl/migration/acme', import.meta.url).pathname;

const manifests = `
{kind: gvc, name: mig-shop, tags: {team: shop}, spec: {staticPlacement: {locationLinks: [//location/aws-eu-central-1]}, env: [{name: LOG_LEVEL, value: info}, {name: cost-center, value: '42'}]}}
---
{kind: serviceaccount, name: mig-deploy}
---
{kind: group, name: mig-operators, memberLinks: [//serviceaccount/mig-deploy]}
---
{kind: identity, name: backend, gvc: mig-shop}
---
{kind: secret, name: mig-database, type: opaque, data: {payload: s3cret, encoding: plain}}
---
{kind: policy, name: mig-database, targetKind: secret, targetLinks: [//secret/mig-database], bindings: [{permissions: [reveal], principalLinks: [//gvc/mig-shop/identity/backend]}]}
---
{kind: volumeset, name: data, gvc: mig-shop, spec: {initialCapacity: 10, performanceClass: general-purpose-ssd, fileSystemType: ext4}}
${['blue', 'green']
  .map(
    (name) => `---
kind: workload
name: web-${name}
gvc: mig-shop
spec:
  type: standard
  containers:
    - {name: main, image: 'registry.example.com/web:1.4.0', cpu: 100m, memory: 128Mi, ports: [{number: 8080, protocol: http}], env: [{name: SPACE, value: mig-shop}, {name: APP_LIMIT, value: '10'}, {name: APP_MODE, value: fast}]}
  defaultOptions: {timeoutSeconds: 30, capacityAI: false, autoscaling: {metric: cpu, target: 80, maxScale: 3, minScale: 1}}
  firewallConfig: {external: {inboundAllowCIDR: [0.0.0.0/0]}}
`,
  )
  .join('')}---
kind: workload
name: store
gvc: mig-shop
spec:
  type: stateful
  identityLink: //identity/backend
  containers:
    - {name: db, image: 'registry.example.com/db:1', args: ['-c', "shared_buffers = 64MB\\n"], ports: [{number: 5432, protocol: tcp}], volumes: [{uri: 'scheme://volumeset/data', path: /data}]}
  defaultOptions: {timeoutSeconds: 20, capacityAI: false}
`;

describeTerraform('gantry terraform migrate', () => {
  const folder = temporaryFolder('migrate');
  const writes: string[] = [];
  let platform: RunningServer;
  let provider: Provider;
  let plugins: readonly PluginServer[];
  let environment: Readonly<Record<string, string>>;

  beforeAll(async () => {
    platform = await startServer({
      port: 0,
      noAuth: true,
      requestLog: ({ method, path }) => {
        if (method !== 'GET' && !path.includes('-query')) writes.push(`${method} ${path}`);
      },
    });
    const settings = { GANTRY_ENDPOINT: platform.url, GANTRY_ORG: 'local' };
    provider = makeHandlers({ environment: settings, cwd: folder });
    const [ours, other] = [await startPluginServer({ handlers: async () => provider.handlers }), await startInvented()];
    plugins = [ours, other];
    environment = {
      TF_VAR_endpoint: platform.url,
      TF_REATTACH_PROVIDERS: JSON.stringify({
        ...JSON.parse(reattachValue(providerSource, ours.address, process.pid)),
        ...JSON.parse(reattachValue(inventedSource, other.address, process.pid)),
      }),
    };
  });
  afterAll(async () => {
    await provider.close();
    for (const plugin of plugins) await plugin.close();
    await platform.close();
  });

  it('moves a configuration and its state from another provider, without a change on the platform', async () => {
    const project = makeProject(join(folder, 'whole'), environment);
    const cli = (...args: readonly string[]) => inProcess(platform, args, { cwd: project.folder });
    for (const file of ['main.tf', 'apps.tf', 'names.yaml']) cpSync(join(fixture, file), join(project.folder, file));
    const before = await project.run('apply', '-auto-approve', '-no-color');
    expect(before.text).toContain('10 added');
    writeFileSync(join(project.folder, 'live.yaml'), manifests);
    const live = await cli('apply', 'live.yaml', '--stack', 'mig', '--yes');
    expect(live.code, live.stderr).toBe(0);

    const migrated = await cli('terraform', 'migrate', '.', '--names', 'names.yaml', '--write');
    expect(migrated.code, migrated.stderr).toBe(0);
    expect(migrated.stdout).not.toContain('To do by hand');
    expect((await project.run('fmt', '-check', '-diff')).text).toBe('');
    expect(await project.run('validate', '-no-color')).toMatchObject({ code: 0 });
    const { text } = await project.run('plan', '-no-color');
    // An import does not read the value of a secret, so it is planned once; nothing is sent.
    expect(text).toContain('Plan: 10 to import, 0 to add, 1 to change, 0 to destroy');
    expect(text.match(/# \S+ will be updated in-place/g)).toEqual([
      '# gantry_secret.database will be updated in-place',
    ]);
    writes.length = 0;
    const applied = await project.run('apply', '-auto-approve', '-no-color');
    expect(applied.text).toContain('10 imported, 0 added, 1 changed, 0 destroyed');
    expect(writes).toEqual([]);

    // Then the other provider can be removed.
    rmSync(join(project.folder, 'gantry-moves.tf'));
    const main = join(project.folder, 'main.tf');
    const rest = readFileSync(main, 'utf8')
      .replace(/provider "acme" \{.*?\n\}\n/s, '')
      .replace(/ +acme = \{.*?\n {4}\}\n/s, '');
    writeFileSync(main, rest);
    const last = await project.run('plan', '-detailed-exitcode', '-no-color');
    expect(last.code, last.text).toBe(0);
    expect(last.text).toContain('No changes.');
    expect(readdirSync(project.folder)).not.toContain('gantry-provider.tf');
  });

  it('destroys nothing that was imported or moved once, or is in a module', async () => {
    const project = makeProject(join(folder, 'kept'), environment);
    const cli = (...args: readonly string[]) => inProcess(platform, args, { cwd: project.folder });
    const write = (path: string, text: string) => writeFileSync(join(project.folder, path), text);
    const required = `terraform {\n  required_providers {\n    acme = {\n      source = "${inventedSource}"\n    }\n  }\n}\n`;
    const space = (label: string, name: string) => `resource "acme_space" "${label}" {\n  name = "${name}"\n}\n`;
    const root = `${readFileSync(join(fixture, 'main.tf'), 'utf8').replace(/\nresource .*/s, '')}\nmodule "m" {\n  source = "./m"\n}\n`;
    mkdirSync(join(project.folder, 'm'));
    write('m/main.tf', `${required}${space('inner', 'kept-inner')}`);
    write('main.tf', `${root}${space('old', 'kept-a')}${space('b', 'kept-b')}`);
    cpSync(join(fixture, 'names.yaml'), join(project.folder, 'names.yaml'));
    expect(await project.run('get', '-no-color')).toMatchObject({ code: 0 });
    const before = await project.run('apply', '-auto-approve', '-no-color');
    expect(before.text).toContain('3 added');
    // Neither is applied: the state still has acme_space.old.
    const moved = 'moved {\n  from = acme_space.old\n  to   = acme_space.a\n}\n';
    const imported = 'import {\n  to = acme_space.b\n  id = "kept-b"\n}\n';
    write('main.tf', `${root}${moved}${imported}${space('a', 'kept-a')}${space('b', 'kept-b')}`);
    write('live.yaml', ['kept-a', 'kept-b'].map((name) => `{kind: gvc, name: ${name}}\n`).join('---\n'));
    const live = await cli('apply', 'live.yaml', '--stack', 'kept', '--yes');
    expect(live.code, live.stderr).toBe(0);
    const migrated = await cli('terraform', 'migrate', '.', '--names', 'names.yaml', '--write');
    expect(migrated.stdout).toContain('To do by hand (2):');
    const { text } = await project.run('plan', '-no-color');
    expect(text).toContain('Plan: 2 to import, 1 to add, 0 to change, 0 to destroy');
    // Terraform prints the first words, OpenTofu the second.
    const forgotten = text.matchAll(/# (\S+) will (?:no longer be managed|be removed from)/g);
    expect([...forgotten].map(([, address]) => address).sort()).toEqual([
      'acme_space.a',
      'acme_space.b',
      'module.m.acme_space.inner',
    ]);
  });
});
