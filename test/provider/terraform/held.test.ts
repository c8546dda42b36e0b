import { copyFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { developmentConfiguration } from '../../../src/hcl/configuration/cliConfiguration.ts';
import { type RunningServer, startServer } from '../../../src/server/start.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { makeProject, type Project } from '../harness/terraform.ts';

const provider = new URL('../../../dist/terraform-provider', import.meta.url).pathname;
const aliases = 'provider "gantry" {}\nprovider "gantry" {\n  alias = "again"\n}\n';
const group = (address: string, name: string, more = ''): string =>
  `resource "gantry_group" "${address}" {\n  name = "${name}"\n  ${more}\n}\n`;

/** Two resources of one configuration with one name. The provider is installed: each provider block is a process. */
describeTerraform('a record that another resource of the configuration has', () => {
  const folder = temporaryFolder('held');
  let platform: RunningServer;
  beforeAll(async () => {
    platform = await startServer({ port: 0, noAuth: true });
  });
  afterAll(() => platform.close());

  /** `one` has the group with this name, and is in the state. */
  async function withOne(name: string): Promise<Project> {
    const rc = { TEST_RC: developmentConfiguration(provider) };
    const project = makeProject(join(folder, name), { ...rc, GANTRY_ENDPOINT: platform.url, GANTRY_ORG: 'local' });
    project.write(group('one', name));
    expect(await project.run('apply', '-auto-approve', '-no-color')).toMatchObject({ code: 0 });
    return project;
  }
  async function live(name: string): Promise<{ readonly id: string; readonly version: number }> {
    return JSON.parse(await (await fetch(`${platform.url}/org/local/group/${name}`)).text());
  }
  /** The run ends with one error, which names the holder, and nothing is written. */
  async function expectRefused(project: Project, name: string, ...args: readonly string[]): Promise<void> {
    const before = await live(name);
    const { code, text } = await project.run('apply', '-auto-approve', '-no-color', ...args);
    expect(code, text).toBe(1);
    expect(text.match(/Error: /g), text).toHaveLength(1);
    const words = text.replaceAll(/\s+/g, ' ');
    expect(words).toContain('gantry_group.one in terraform.tfstate has it');
    expect(words).toContain('moved { from = gantry_group.one');
    expect(words).toContain('removed { from = gantry_group.one');
    expect(words).toContain(`import { to = gantry_group.NAME, id = "${name}" }`);
    expect(await live(name)).toMatchObject({ id: before.id, version: before.version });
  }

  it('is not taken over by a resource of another provider block', async () => {
    const project = await withOne('of-alias');
    const two = group('two', 'of-alias', 'provider = gantry.again\n  description = "theirs"');
    project.write(`${aliases}${group('one', 'of-alias')}${two}`);
    await expectRefused(project, 'of-alias');
  });

  it('is not taken over if -target leaves out the resource that has it', async () => {
    const project = await withOne('of-target');
    project.write(`${group('one', 'of-target')}${group('two', 'of-target', 'description = "theirs"')}`);
    await expectRefused(project, 'of-target', '-target=gantry_group.two');
  });

  it('is not taken over by another state of the folder', async () => {
    const project = await withOne('of-state');
    project.write(group('two', 'of-state', 'description = "theirs"'));
    await expectRefused(project, 'of-state', '-state=other.tfstate');
  });

  it('is declared twice if one process reads both, in any order', async () => {
    const project = await withOne('of-both');
    project.write(`${group('one', 'of-both')}${group('two', 'of-both')}`);
    const { code, text } = await project.run('plan', '-no-color');
    expect(code).toBe(1);
    expect(text.match(/Error: /g), text).toHaveLength(1);
    expect(text).toContain('group/of-both is declared by two resources of this configuration');
  });

  it('causes a warning in the plan if its address has changed; a moved block settles it', async () => {
    const project = await withOne('of-rename');
    const { id } = await live('of-rename');
    project.write(group('two', 'of-rename'));
    const { code, text } = await project.run('plan', '-no-color');
    expect(code, text).toBe(0);
    expect(text.match(/Warning: Group\/of-rename|Warning: group\/of-rename/g), text).toHaveLength(1);
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(/write a moved block|write moved \{ from = gantry_group\.one/);
    project.write(`${group('two', 'of-rename')}moved {\n  from = gantry_group.one\n  to = gantry_group.two\n}\n`);
    const moved = await project.run('apply', '-auto-approve', '-no-color');
    expect(moved.code, moved.text).toBe(0);
    expect(moved.text).not.toContain('of-rename exists already');
    expect((await live('of-rename')).id).toBe(id);
  });

  it('names the backup to put back if terraform was killed while it wrote its state', async () => {
    const project = await withOne('of-kill');
    project.write(group('one', 'of-kill', 'description = "changed"'));
    expect(await project.run('apply', '-auto-approve', '-no-color')).toMatchObject({ code: 0 });
    truncateSync(join(project.folder, 'terraform.tfstate'));
    const { text } = await project.run('plan', '-no-color');
    const words = text.replaceAll(/\s+/g, ' ');
    expect(words).toContain('gantry_group.one in terraform.tfstate.backup has it.');
    expect(words).toContain('put that back: cp terraform.tfstate.backup terraform.tfstate ');
    copyFileSync(join(project.folder, 'terraform.tfstate.backup'), join(project.folder, 'terraform.tfstate'));
    expect(await project.run('plan', '-detailed-exitcode', '-no-color')).toMatchObject({ code: 0 });
  });

  it('causes no warning if its own resource is replaced', async () => {
    const project = await withOne('of-itself');
    for (const args of [['-replace=gantry_group.one'], []]) {
      if (args.length === 0) expect(await project.run('taint', 'gantry_group.one')).toMatchObject({ code: 0 });
      const { id } = await live('of-itself');
      const { code, text } = await project.run('apply', '-auto-approve', '-no-color', ...args);
      expect(code, text).toBe(0);
      expect(text.match(/Warning: .*/g)).toEqual(['Warning: Provider development overrides are in effect']);
      expect((await live('of-itself')).id).not.toBe(id);
    }
  });
});
