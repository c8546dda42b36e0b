import { expect, it } from 'vitest';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { useTerraform } from '../harness/useTerraform.ts';

const gvc = 'resource "gantry_gvc" "shop" {\n  name = "shop"\n}\n';
const workload = (more: string, spec: string) => `resource "gantry_workload" "web" {
  name = "web"
  gvc  = gantry_gvc.shop.name
  ${more}
  spec {
    ${spec}
  }
}
`;
const containers = (more: string) => `containers {
      name  = "main"
      image = "nginx:1"
      ${more}
    }`;

describeTerraform('a workload whose GVC is a reference', () => {
  const terraform = useTerraform('unknowns');

  it.each([
    [
      'a minimum above the maximum',
      `type = "standard"
    ${containers('')}
    default_options {
      autoscaling {
        min_scale = 3
        max_scale = 2
      }
    }`,
      'W17',
    ],
    ['a cron without a schedule', `type = "cron"\n    ${containers('')}`, 'W10'],
  ])('is refused by validate for %s', async (name, spec, expected) => {
    const project = terraform.project(name.replaceAll(/\W/g, '-'));
    project.write(gvc + workload('', spec));
    const { code, text } = await project.run('validate', '-no-color');
    expect(code).toBe(1);
    expect(text).toContain(expected);
  });

  it('is refused by the plan if the problem is known by then, beside a description that is not', async () => {
    const project = terraform.project('description');
    const input = 'resource "terraform_data" "cpu" {\n  input = "made"\n}\nlocals {\n  cpu = "fast"\n}\n';
    const spec = `type = "standard"\n    ${containers('cpu = local.cpu')}`;
    project.write(gvc + input + workload('description = terraform_data.cpu.output', spec));
    const { code, text } = await project.run('plan', '-no-color');
    expect(code).toBe(1);
    expect(text).toContain('is not a valid quantity');
    expect(terraform.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
  });
});
