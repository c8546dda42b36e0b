import { expect, it } from 'vitest';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { useTerraform } from '../harness/useTerraform.ts';

/** The same letter in the two forms of Unicode. Terraform composes all texts; the platform stores what it gets. */
const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'];

describeTerraform('a record whose texts are not in the normal form of Terraform', () => {
  const terraform = useTerraform('normal-form');

  it('can be imported and changed without a report of drift', async () => {
    await terraform.call('POST', 'group', { name: 'accents', description: decomposed, tags: { [decomposed]: '1' } });
    const project = terraform.project('accents');
    const group = (tag: string) => `
import {
  to = gantry_group.one
  id = "accents"
}
resource "gantry_group" "one" {
  name        = "accents"
  description = "${composed}"
  tags        = { "${composed}" = "1", other = "${tag}" }
}
`;
    for (const tag of ['first', 'second']) {
      project.write(group(tag));
      const { code, text } = await project.run('apply', '-auto-approve', '-no-color');
      expect(code, text).toBe(0);
    }
    expect(await project.run('plan', '-detailed-exitcode', '-no-color')).toMatchObject({ code: 0 });
  });
});
