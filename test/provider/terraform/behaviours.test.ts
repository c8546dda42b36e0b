import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { providerSource } from '../../../src/hcl/provider.ts';
import { describeTerraform } from '../harness/describeTerraform.ts';
import type { Project } from '../harness/terraform.ts';
import { useTerraform } from '../harness/useTerraform.ts';

/** Modules, values that are unknown before the apply, conditions, checks, and lifecycle blocks. */
const configuration = `
resource "terraform_data" "suffix" { input = "one" }
module "team" {
  source = "./team"
  suffix = terraform_data.suffix.output
}
resource "gantry_group" "last" {
  name       = "last"
  tags       = { ignored = "here", owned = "yes" }
  depends_on = [module.team]
  lifecycle {
    ignore_changes = [tags["ignored"]]
    precondition {
      condition     = module.team.id != ""
      error_message = "the team is not new"
    }
  }
}
check "team" {
  assert {
    condition     = startswith(module.team.link, "/org/local/group/")
    error_message = "no link"
  }
}
`;
const team = `
terraform {
  required_providers {
    gantry = { source = "${providerSource}" }
  }
}
variable "suffix" { type = string }
resource "gantry_group" "each" {
  for_each    = toset(["red", "blue"])
  name        = each.key
  description = "team \${var.suffix}"
}
resource "gantry_policy" "view" {
  name         = "view-teams"
  target_kind  = "group"
  target_links = [for group in gantry_group.each : group.link]
  bindings {
    permissions = ["view"]
    principal_links = [gantry_group.each["red"].link]
  }
}
output "id" { value = gantry_group.each["red"].id }
output "link" { value = gantry_group.each["red"].link }
`;

describeTerraform('features of Terraform itself', { shuffle: false }, () => {
  const terraform = useTerraform('behaviours');
  let project: Project;
  beforeAll(async () => {
    project = terraform.project('.');
    project.write(configuration);
    mkdirSync(join(project.folder, 'team'));
    writeFileSync(join(project.folder, 'team/main.tf'), team);
    const { code, text } = await project.run('init', '-no-color');
    expect(code, text).toBe(0);
  });

  it('a saved plan is applied, unknown values pass from one resource to another, and -target limits the plan', async () => {
    const targeted = await project.run('apply', '-auto-approve', '-target=module.team', '-no-color');
    expect(targeted.text).toContain('4 added');
    expect((await project.run('plan', '-out=saved', '-no-color')).text).toContain('1 to add');
    expect((await project.run('apply', '-no-color', 'saved')).text).toContain('1 added');
    const { code, text } = await project.run('plan', '-detailed-exitcode', '-no-color');
    expect(code, text).toBe(0);
  });

  it('ignored attributes stay as others set them, and -refresh-only shows drift without a change', async () => {
    await terraform.call('PATCH', 'group/last', { tags: { ignored: 'changed', owned: 'no' } });
    const refreshed = await project.run('plan', '-refresh-only', '-no-color');
    expect(refreshed.text).toMatch(/"owned"\s+= "yes" -> "no"/);
    expect((await project.run('apply', '-auto-approve', '-no-color')).text).toContain('1 changed');
    const now = await (await terraform.call('GET', 'group/last')).json();
    expect(now).toMatchObject({ tags: { ignored: 'changed', owned: 'yes' } });
  });

  it('-replace recreates a resource without references, and destroy leaves nothing', async () => {
    const replaced = await project.run('apply', '-auto-approve', '-replace=gantry_group.last', '-no-color');
    expect(replaced.text, replaced.text).toContain('1 added, 0 changed, 1 destroyed');
    expect((await project.run('destroy', '-auto-approve', '-no-color')).text).toContain('5 destroyed');
  });
});
