import { expect, it } from 'vitest';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { useTerraform } from '../harness/useTerraform.ts';

describeTerraform('default_tags', () => {
  const terraform = useTerraform('default-tags');
  const block = (tags: string, more = '') => `provider "gantry" {\n  default_tags = { ${tags} }\n  ${more}\n}\n`;
  const group = (name: string, tags = '', more = '') =>
    `resource "gantry_group" "main" {\n  name = "${name}"\n  ${tags === '' ? '' : `tags = { ${tags} }`}\n  ${more}\n}\n`;
  const unchanged = ['plan', '-detailed-exitcode', '-no-color'];

  async function tagsOf(name: string): Promise<Readonly<Record<string, unknown>>> {
    const { tags } = JSON.parse(await (await terraform.call('GET', `group/${name}`)).text());
    return Object.fromEntries(Object.entries(tags).filter(([key]) => !key.startsWith('gantry/')));
  }
  /** A project that is applied, and then plans nothing. */
  function applied(name: string) {
    const project = terraform.project(name);
    return {
      project,
      async apply(configuration: string): Promise<string> {
        project.write(configuration);
        const { code, text } = await project.run('apply', '-auto-approve', '-no-color');
        expect(code, text).toBe(0);
        const again = await project.run(...unchanged);
        expect(again.code, again.text).toBe(0);
        return text;
      },
      async state(): Promise<Readonly<Record<string, unknown>>> {
        const { values } = JSON.parse((await project.run('show', '-json')).text);
        return values.root_module.resources.find(({ address }: { address: string }) => address === 'gantry_group.main')
          .values;
      },
    };
  }

  it('are added to resources with and without tags of their own, whose tags win', async () => {
    const name = 'given';
    const { apply, state } = applied(name);
    await apply(block('team = "shop", tier = "1"') + group(name));
    expect(await tagsOf(name)).toEqual({ team: 'shop', tier: '1' });
    expect(await state()).toMatchObject({ tags: null, tags_all: { team: 'shop', tier: '1' } });

    const text = await apply(block('team = "shop", tier = "1"') + group(name, 'team = "web", own = "x"'));
    expect(text).toMatch(/~ tags_all/); // Known in the plan.
    expect(text).toMatch(/~ "team" += "shop" -> "web"/);
    expect(await tagsOf(name)).toEqual({ team: 'web', tier: '1', own: 'x' });
    expect(await state()).toMatchObject({
      tags: { team: 'web', own: 'x' },
      tags_all: { team: 'web', tier: '1', own: 'x' },
    });

    // Null removes a default; a default that leaves the block is removed too.
    await apply(block('team = "shop", tier = "1"') + group(name, 'tier = null'));
    expect(await tagsOf(name)).toEqual({ team: 'shop' });
    await apply(block('tier = "2"') + group(name));
    expect(await tagsOf(name)).toEqual({ tier: '2' });
    await apply(group(name));
    expect(await tagsOf(name)).toEqual({});
    expect(await state()).toMatchObject({ tags: null, tags_all: {} });
  });

  it('send nothing if a default becomes a tag of the resource, or the reverse', async () => {
    const name = 'moved';
    const { apply } = applied(name);
    await apply(block('team = "shop"') + group(name));
    terraform.requests.length = 0;
    await apply(block('team = "shop"') + group(name, 'team = "shop"'));
    await apply(group(name, 'team = "shop"'));
    await apply(block('team = "shop"') + group(name));
    expect(terraform.requests.filter((request) => !request.startsWith('GET') && !request.includes('-query'))).toEqual(
      [],
    );
  });

  it('are restored after changes by others, whose additions stay', async () => {
    const name = 'drift';
    const { project, apply } = applied(name);
    const configuration = block('team = "shop", tier = "1"') + group(name, 'own = "x"');
    await apply(configuration);
    await terraform.call('PATCH', `group/${name}`, { tags: { team: 'them', theirs: 'y', $drop: ['tier'] } });
    const { text } = await project.run('plan', '-no-color');
    expect(text).toMatch(/~ "team" += "them" -> "shop"/);
    expect(text).toMatch(/\+ "tier" += "1"/);
    await apply(configuration);
    expect(await tagsOf(name)).toEqual({ team: 'shop', tier: '1', own: 'x', theirs: 'y' });
  });

  it('are recognized in an import, which then changes nothing', async () => {
    const name = 'imported';
    await terraform.call('POST', 'group', { name, tags: { team: 'shop', own: 'x', 'scanner/last': 'today' } });
    const { project, state } = applied(name);
    project.write(
      block('team = "shop"', 'ignore_tags = ["scanner/*"]') +
        `import {\n  to = gantry_group.main\n  id = "${name}"\n}\n${group(name, 'own = "x"')}`,
    );
    const { text } = await project.run('apply', '-auto-approve', '-no-color');
    expect(text).toContain('1 imported, 0 added, 0 changed, 0 destroyed');
    expect(await state()).toMatchObject({ tags: { own: 'x' }, tags_all: { own: 'x', team: 'shop' } });
    expect(await project.run(...unchanged)).toMatchObject({ code: 0 });
    expect(await tagsOf(name)).toEqual({ team: 'shop', own: 'x', 'scanner/last': 'today' });
  });

  it('are partly known in the plan if only some tags of the resource are unknown', async () => {
    const name = 'unknown';
    const { project, apply, state } = applied(name);
    const other = 'resource "gantry_group" "other" {\n  name = "unknown-other"\n}\n';
    const configuration = block('team = "shop"') + other + group(name, 'of = gantry_group.other.id');
    project.write(configuration);
    const { text } = await project.run('plan', '-no-color');
    expect(text).toMatch(/tags_all += \{[^}]*"of" += \(known after apply\)[^}]*"team" += "shop"/s);
    await apply(configuration);
    const { tags, tags_all: all } = await state();
    expect(tags).toEqual({ of: expect.any(String) });
    expect(all).toEqual({ of: expect.any(String), team: 'shop' });
    expect(await tagsOf(name)).toEqual(all);
  });

  it('leave tags in ignore_changes unchanged, and are added beside them', async () => {
    const name = 'left';
    const { apply } = applied(name);
    const kept = 'lifecycle {\n    ignore_changes = [tags]\n  }';
    await apply(block('team = "shop"') + group(name, 'own = "x"', kept));
    await apply(block('team = "web"') + group(name, 'own = "y"', kept));
    expect(await tagsOf(name)).toEqual({ team: 'web', own: 'x' });
  });
});
