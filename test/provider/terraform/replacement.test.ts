import { expect, it } from 'vitest';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { useTerraform } from '../harness/useTerraform.ts';

const stack = (identity: { readonly address: string; readonly name: string; readonly more?: string }) => `
resource "gantry_gvc" "shop" { name = "shop" }
resource "gantry_identity" "${identity.address}" {
  name = "${identity.name}"
  gvc  = gantry_gvc.shop.name
${identity.more ?? ''}
}
resource "gantry_policy" "view" {
  name         = "view"
  target_kind  = "gvc"
  target_links = [gantry_gvc.shop.link]
  bindings {
    permissions = ["view"]
    principal_links = [gantry_identity.${identity.address}.link]
  }
}
`;
const createFirst = '  lifecycle {\n    create_before_destroy = true\n  }\n';

describeTerraform('a replacement under another name', { shuffle: false }, () => {
  const terraform = useTerraform('replacement');
  const writes = () =>
    terraform.requests.filter((each) => !each.startsWith('GET ')).map((each) => each.replace('/org/local/', ''));

  it('with create_before_destroy creates the new record and moves references before it deletes the old one', async () => {
    const project = terraform.project('create-first');
    project.write(stack({ address: 'app', name: 'app', more: createFirst }));
    expect(await project.run('apply', '-auto-approve', '-no-color')).toMatchObject({ code: 0 });
    project.write(stack({ address: 'app', name: 'app-two', more: createFirst }));
    terraform.requests.length = 0;
    const { code, text } = await project.run('apply', '-auto-approve', '-no-color');
    expect(code, text).toBe(0);
    expect(text).toContain('is renamed by deleting it and creating another one');
    expect(text).toContain('1 added, 1 changed, 1 destroyed');
    expect(writes()).toEqual(['POST gvc/shop/identity', 'PATCH policy/view', 'DELETE gvc/shop/identity/app']);
    expect(await project.run('plan', '-detailed-exitcode', '-no-color')).toMatchObject({ code: 0 });
  });

  it('a moved block changes only the address; together with another name it is a replacement, and says so', async () => {
    const project = terraform.project('create-first');
    const moved = 'moved {\n  from = gantry_identity.app\n  to   = gantry_identity.main\n}\n';
    project.write(`${stack({ address: 'main', name: 'app-two', more: createFirst })}${moved}`);
    terraform.requests.length = 0;
    const plain = await project.run('apply', '-auto-approve', '-no-color');
    expect(plain.text).toContain('0 added, 0 changed, 0 destroyed');
    expect(plain.text).toMatch(/gantry_identity\.app has moved to gantry_identity\.main/);
    expect(writes()).toEqual([]);
    project.write(stack({ address: 'main', name: 'app-three', more: createFirst }));
    const renamed = await project.run('plan', '-no-color');
    expect(renamed.text).toContain('is renamed by deleting it and creating another one');
    expect(renamed.text).toContain('1 to add, 1 to change, 1 to destroy');
  });
});

describeTerraform('a replacement under the same name', () => {
  const terraform = useTerraform('same-name');

  it('with create_before_destroy can be refused by the apply, which says what to remove; nothing is written', async () => {
    const project = terraform.project('same');
    const policy = (targetKind: string, more: string) =>
      `resource "gantry_policy" "view" {\n  name = "view"\n  target_kind = "${targetKind}"\n  target = "all"\n${more}}\n`;
    project.write(policy('secret', createFirst));
    expect(await project.run('apply', '-auto-approve', '-no-color')).toMatchObject({ code: 0 });
    project.write(policy('group', createFirst));
    const { code, text } = await project.run('apply', '-auto-approve', '-no-color');
    expect(code).toBe(1);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'If the resource itself has it and is replaced, remove create_before_destroy',
    );
    expect(await (await terraform.call('GET', 'policy/view')).json()).toMatchObject({
      targetKind: 'secret',
      version: 1,
    });
    project.write(policy('group', ''));
    expect(await project.run('apply', '-auto-approve', '-no-color')).toMatchObject({ code: 0 });
  });
});
