import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { resourceExample } from '../../../scripts/reference/examples.ts';
import { resourceType } from '../../../src/hcl/schema/names.ts';
import { creatableKinds } from '../../../src/schema/record/kinds.ts';
import { describeTerraform } from '../harness/describeTerraform.ts';
import type { Project } from '../harness/terraform.ts';
import { useTerraform } from '../harness/useTerraform.ts';

/** All in one GVC, the secret's value instead of its variable, and no empty lists, which an import reads as absent. */
function together(example: string): string {
  return example
    .replace(/^( {2}name *= )"main"$/m, '$1"shop"')
    .replace(/^( {2}gvc *= )"shop"$/m, '$1gantry_gvc.main.name')
    .replace(/^ +\w+ += \[\]\n/m, '')
    .replaceAll(/variable "[^"]*" \{[^}]*\}/g, '')
    .replaceAll(/var\.\w+/g, '"not-shown"');
}

describeTerraform('a record of every kind', { shuffle: false }, () => {
  const terraform = useTerraform('import');
  const examples = creatableKinds.map((kind) => {
    const { text, importId } = resourceExample(kind);
    return { kind, text: together(text), importId: kind === 'gvc' ? 'shop' : importId };
  });

  async function expectNoChanges(project: Project): Promise<void> {
    const { code, text } = await project.run('plan', '-detailed-exitcode', '-no-color');
    expect(code, text).toBe(0);
  }

  it('is created, and recognized after its state was lost, except for the value of a secret, which no import reads', async () => {
    const project = terraform.project('created');
    project.write(examples.map(({ text }) => text).join('\n'));
    const { code, text } = await project.run('apply', '-auto-approve', '-no-color');
    expect(code, text).toBe(0);
    await expectNoChanges(project);
    const addresses = (await project.run('state', 'list')).text.trim().split('\n');
    expect(addresses).toHaveLength(creatableKinds.length);

    const shown = await project.run('show', '-json');
    expect(JSON.parse(shown.text)).toHaveProperty('values.root_module.resources.length', creatableKinds.length);
    expect(await project.run('state', 'rm', ...addresses)).toMatchObject({ code: 0 });
    for (const { kind, importId } of examples) {
      const address = addresses.find((each) => each.startsWith(`${resourceType(kind)}.`)) ?? '';
      expect(await project.run('import', '-no-color', address, importId)).toMatchObject({ code: 0 });
    }
    const again = await project.run('apply', '-auto-approve', '-no-color');
    expect(again.text).toContain('gantry_secret.database will be updated in-place');
    expect(again.text).toContain('0 added, 1 changed, 0 destroyed');
    await expectNoChanges(project);
  });

  it('is imported with a configuration that Terraform generates, without a change', async () => {
    const project = terraform.project('generated');
    const blocks = examples.map(
      ({ kind, importId }) => `import {\n  to = ${resourceType(kind)}.it\n  id = "${importId}"\n}\n`,
    );
    project.write(blocks.join(''));
    const planned = await project.run('plan', '-generate-config-out=generated.tf', '-no-color');
    expect(planned.text, planned.text).toContain(
      `${creatableKinds.length} to import, 0 to add, 0 to change, 0 to destroy`,
    );
    const { text } = await project.run('apply', '-auto-approve', '-no-color');
    expect(text).toContain(`${creatableKinds.length} imported, 0 added, 0 changed, 0 destroyed`);
    writeFileSync(
      join(project.folder, 'main.tf'),
      readFileSync(join(project.folder, 'main.tf'), 'utf8').split('import')[0] ?? '',
    );
    await expectNoChanges(project);
  });
});
