import { expect, it } from 'vitest';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { useTerraform } from '../harness/useTerraform.ts';

describeTerraform('ignore_tags', () => {
  const terraform = useTerraform('ignored-tags');
  const block = (tags: string) => `provider "gantry" {\n  ignore_tags = [${tags}]\n}\n`;
  const group = (name: string, tags: string) =>
    `resource "gantry_group" "main" {\n  name = "${name}"\n  tags = {\n    ${tags}\n  }\n}\n`;
  async function tagsOf(name: string): Promise<Readonly<Record<string, unknown>>> {
    const { tags } = JSON.parse(await (await terraform.call('GET', `group/${name}`)).text());
    return Object.fromEntries(Object.entries(tags).filter(([key]) => !key.startsWith('gantry/')));
  }

  it('keep tags of others out of an import, its plan and its state, and never remove them', async () => {
    const name = 'ignored';
    const theirs = { 'cost-center': '42', 'scanner/last': 'today' };
    await terraform.call('POST', 'group', { name, tags: { ...theirs, other: 'drift', team: 'shop' } });
    const project = terraform.project(name);
    const ignoring = block('"cost-center", "scanner/*"');
    const importing = `import {\n  to = gantry_group.main\n  id = "${name}"\n}\n`;

    // Without ignore_tags an import has all tags, and the plan removes undeclared ones.
    project.write(importing + group(name, 'team = "web"'));
    expect((await project.run('plan', '-no-color')).text).toMatch(/"cost-center" += "42" -> null/);
    project.write(ignoring + importing + group(name, 'team = "web"'));
    const { text } = await project.run('apply', '-auto-approve', '-no-color');
    expect(text).toMatch(/"other" += "drift" -> null/);
    expect(text).not.toMatch(/cost-center|scanner/);
    expect(await tagsOf(name)).toEqual({ ...theirs, team: 'web' });
    expect((await project.run('show', '-no-color')).text).not.toMatch(/cost-center|scanner/);
    expect(await project.run('plan', '-detailed-exitcode', '-no-color')).toMatchObject({ code: 0 });
  });

  it('keep tags that the state already has', async () => {
    const name = 'before';
    const project = terraform.project(name);
    project.write(group(name, 'team = "shop"\n    "cost-center" = "42"'));
    expect(await project.run('apply', '-auto-approve', '-no-color')).toMatchObject({ code: 0 });
    project.write(block('"cost-center"') + group(name, 'team = "web"'));
    const { code, text } = await project.run('apply', '-auto-approve', '-no-color');
    expect(code, text).toBe(0);
    expect(await tagsOf(name)).toEqual({ 'cost-center': '42', team: 'web' });
    expect(await project.run('plan', '-detailed-exitcode', '-no-color')).toMatchObject({ code: 0 });
  });

  it('are refused at its line if a resource sets such a tag', async () => {
    const project = terraform.project('refused');
    project.write(block('"team"') + group('refused', 'team = "shop"'));
    const { code, text } = await project.run('plan', '-no-color');
    expect(code, text).toBe(1);
    const both = text.replaceAll(/[│╷╵\s]+/g, ' ');
    expect(both).toContain('the tag "team" is ignored by the provider block');
    expect(both).toContain('on main.tf line');
  });
});
