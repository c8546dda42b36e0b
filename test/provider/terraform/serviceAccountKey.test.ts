import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { useTerraform } from '../harness/useTerraform.ts';

interface Key {
  readonly name: string;
  readonly description: string;
}

describeTerraform('keys of service accounts', () => {
  const terraform = useTerraform('keys');
  const account = (name: string) => `resource "gantry_serviceaccount" "ci" {\n  name = "${name}"\n}\n`;
  const key = (description: string, more = '') =>
    `resource "gantry_service_account_key" "ci" {\n  serviceaccount = gantry_serviceaccount.ci.name\n  description = "${description}"\n${more}}\noutput "key" {\n  value = gantry_service_account_key.ci.key\n  sensitive = true\n}\n`;
  async function keysOf(name: string): Promise<readonly Key[]> {
    return JSON.parse(await (await terraform.call('GET', `serviceaccount/${name}`)).text()).keys ?? [];
  }

  it('are created once, kept in the state, replaced for another description, and removed', async () => {
    const project = terraform.project('once');
    const apply = async () => {
      const { code, text } = await project.run('apply', '-auto-approve', '-no-color');
      expect(code, text).toBe(0);
      return text;
    };
    const output = async () => (await project.run('output', '-raw', 'key')).text;
    project.write(account('once') + key('first'));
    expect(await apply()).toContain('2 added');
    const [first] = await keysOf('once');
    expect(first).toMatchObject({ description: 'first' });
    const value = await output();
    expect(value).toMatch(/^s/);
    expect(await project.run('plan', '-detailed-exitcode', '-no-color')).toMatchObject({ code: 0 });
    expect(await output(), 'a refresh keeps what nobody shows again').toBe(value);

    project.write(account('once') + key('second', '  lifecycle {\n    create_before_destroy = true\n  }\n'));
    const { text: plan } = await project.run('plan', '-no-color');
    expect(plan).toContain('"first" -> "second" # forces replacement');
    expect(plan).not.toContain(value);
    await apply();
    const [second, ...rest] = await keysOf('once');
    expect(rest).toEqual([]);
    expect(second).toMatchObject({ description: 'second' });
    expect(await output()).not.toBe(value);

    // Another client removes it: the next plan creates a new one.
    await terraform.call('PATCH', 'serviceaccount/once', { '$drop/keys': [second?.name] });
    expect((await project.run('plan', '-no-color')).text).toContain('1 to add, 0 to change, 0 to destroy');
    await apply();
    project.write(account('once'));
    await apply();
    expect(await keysOf('once')).toEqual([]);
  });

  it('are imported without their value, which only the creation returns', async () => {
    await terraform.call('POST', 'serviceaccount', { name: 'imported' });
    const made = await terraform.call('POST', 'serviceaccount/imported/-addKey', { description: 'by hand' });
    const { name } = JSON.parse(await made.text());
    const project = terraform.project('imported');
    const importing = (id: string) =>
      `import {\n  to = gantry_service_account_key.ci\n  id = "${id}"\n}\nimport {\n  to = gantry_serviceaccount.ci\n  id = "imported"\n}\n`;
    project.write(importing(`imported/${name}`) + account('imported') + key('by hand'));
    const { code, text } = await project.run('apply', '-auto-approve', '-no-color');
    expect(code, text).toBe(0);
    expect(text).toContain('2 imported, 0 added, 0 changed, 0 destroyed');
    expect((await keysOf('imported')).map((each) => each.name)).toEqual([name]);

    const wrong = terraform.project('wrong');
    wrong.write(importing('imported') + account('imported') + key('by hand'));
    expect((await wrong.run('plan', '-no-color')).text).toContain('Write ACCOUNT/NAME.');
    wrong.write(account('imported') + key(' '));
    expect((await wrong.run('validate', '-no-color')).text).toContain('description is not valid');
  });

  it('of an ephemeral resource work for one command, and are removed after it', async () => {
    await terraform.call('POST', 'serviceaccount', { name: 'brief' });
    const project = terraform.project('brief');
    project.write(`ephemeral "gantry_service_account_key" "brief" {
  serviceaccount = "brief"
}
resource "gantry_secret" "token" {
  name = "token"
  type = "opaque"
  data_wo {
    opaque {
      payload  = ephemeral.gantry_service_account_key.brief.key
      encoding = "plain"
    }
  }
  data_wo_version = 1
}
`);
    terraform.requests.length = 0;
    const { code, text } = await project.run('apply', '-auto-approve', '-no-color');
    expect(code, text).toBe(0);
    const made = 'POST /org/local/serviceaccount/brief/-addKey';
    const changed = terraform.requests.filter((each) => /serviceaccount\/brief/.test(each) && !each.startsWith('GET'));
    expect(changed).toContain(made);
    const removed = changed.filter((each) => each.startsWith('PATCH'));
    expect(removed).toHaveLength(changed.filter((each) => each === made).length);
    expect(await keysOf('brief')).toEqual([]);
    const stored = JSON.parse(await (await terraform.call('GET', 'secret/token/-reveal')).text());
    expect(stored.data.payload).toMatch(/^s/);
    expect(readFileSync(join(project.folder, 'terraform.tfstate'), 'utf8')).not.toContain(stored.data.payload);
  });

  it('of a missing account are an error, and a wrong org keeps the state', async () => {
    const project = terraform.project('absent');
    project.write(
      'resource "gantry_service_account_key" "ci" {\n  serviceaccount = "absent"\n  description = "none"\n}\n',
    );
    const { code, text } = await project.run('apply', '-auto-approve', '-no-color');
    expect(code).toBe(1);
    expect(text).toContain('serviceaccount/absent');

    const other = terraform.project('other');
    other.write(account('other') + key('here'));
    expect(await other.run('apply', '-auto-approve', '-no-color')).toMatchObject({ code: 0 });
    other.write(`provider "gantry" {\n  org = "elsewhere"\n}\n${account('other')}${key('here')}`);
    const wrong = await other.run('apply', '-auto-approve', '-no-color', '-target=gantry_service_account_key.ci');
    expect(wrong.code).toBe(1);
    expect(wrong.text).toContain('is in the org local');
    expect((await other.run('state', 'list')).text).toContain('gantry_service_account_key.ci');
  });
});
