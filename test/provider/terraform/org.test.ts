import { expect, it } from 'vitest';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { useTerraform } from '../harness/useTerraform.ts';

describeTerraform('the org as a resource', () => {
  const terraform = useTerraform('org');
  const org = (more: string, name = 'local') =>
    `resource "gantry_org" "main" {\n  name = "${name}"\n  spec {\n    ${more}\n  }\n}\n`;
  const importing = (id = 'local') => `import {\n  to = gantry_org.main\n  id = "${id}"\n}\n`;
  async function spec(): Promise<Readonly<Record<string, unknown>>> {
    return JSON.parse(await (await fetch((await terraform.call('GET', 'gvc')).url.replace(/\/gvc$/, ''))).text()).spec;
  }

  it('is imported, changed, read back, and kept on destroy', async () => {
    const project = terraform.project('org');
    project.write(importing() + org('session_timeout_seconds = 3600'));
    const { code, text } = await project.run('apply', '-auto-approve', '-no-color');
    expect(code, text).toBe(0);
    expect(text).toContain('1 imported, 0 added, 1 changed, 0 destroyed');
    expect(await spec()).toMatchObject({ sessionTimeoutSeconds: 3600 });
    expect(await project.run('plan', '-detailed-exitcode', '-no-color')).toMatchObject({ code: 0 });

    project.write(org('session_timeout_seconds = 7200\n    observability {\n      logs_retention_days = 90\n    }'));
    const plan = await project.run('plan', '-no-color');
    expect(plan.text).toContain('session_timeout_seconds = 3600 -> 7200');
    expect(await project.run('apply', '-auto-approve', '-no-color')).toMatchObject({ code: 0 });
    expect(await spec()).toMatchObject({ sessionTimeoutSeconds: 7200, observability: { logsRetentionDays: 90 } });
    expect(await project.run('plan', '-detailed-exitcode', '-no-color')).toMatchObject({ code: 0 });

    const before = await spec();
    const gone = await project.run('destroy', '-auto-approve', '-no-color');
    expect(gone.code, gone.text).toBe(0);
    expect(gone.text).toContain('org/local is not deleted, only forgotten');
    expect(await spec()).toEqual(before);
  });

  it('is refused without an import, with a new name, and if it is not the org of the provider block', async () => {
    const project = terraform.project('refused');
    const failing = async (configuration: string) => {
      project.write(configuration);
      const { code, text } = await project.run('apply', '-auto-approve', '-no-color');
      expect(code, text).toBe(1);
      return text.replaceAll(/[│╷╵\s]+/g, ' ');
    };
    const before = await spec();
    const alone = await failing(org('session_timeout_seconds = 900'));
    expect(alone).toContain('The org local exists already, and can only be imported');
    expect(alone).toContain('import { to = gantry_org.NAME, id = "local" }');
    expect(await failing(importing('other') + org('session_timeout_seconds = 900', 'other'))).toContain(
      'The provider is set to the org local.',
    );
    expect(await failing(importing() + org('session_timeout_seconds = 900', 'renamed'))).toContain(
      'org/local cannot be replaced',
    );
    expect(await failing(importing() + org('session_timeout_seconds = 1'))).toContain('900');
    expect(await spec()).toEqual(before);
  });
});
