import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { useTerraform } from '../harness/useTerraform.ts';

const tofu = process.env['GANTRY_TOFU'] ?? 'tofu';

/** `GANTRY_TOFU` runs all tests of the provider with OpenTofu; these also run if one is on the PATH. */
function reasonToSkip(): string | undefined {
  try {
    const { terraform_version: version } = JSON.parse(
      execFileSync(tofu, ['version', '-json'], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'] ?? '', TF_CLI_CONFIG_FILE: '/dev/null' },
      }),
    );
    return /^1\.(1[1-9]|[2-9]\d)/.test(String(version)) ? undefined : `OpenTofu ${version} is older than 1.11`;
  } catch {
    return 'there is no tofu on the PATH, and GANTRY_TOFU names none (npm run tofu builds one where Go is)';
  }
}

const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`skipped: ${skipped}`);

const configuration = `
provider "gantry" {
  org = "local"
}

resource "gantry_gvc" "shop" {
  name = "shop"
}

resource "gantry_secret" "database" {
  name            = "database"
  type            = "opaque"
  data_wo_version = 1
  data_wo {
    opaque {
      payload = "never-stored"
    }
  }
}

ephemeral "gantry_secret" "database" {
  name = gantry_secret.database.name
}

resource "gantry_workload" "web" {
  name = "web"
  gvc  = gantry_gvc.shop.name
  spec {
    type = "standard"
    containers {
      name  = "web"
      image = "nginx:1.27"
      env   = { LINK = provider::gantry::link("workload", "web", "shop") }
    }
  }
}
`;

describe.skipIf(skipped !== undefined)('OpenTofu', () => {
  const terraform = useTerraform('tofu', {}, tofu);

  it('applies, then plans nothing, stores no write-only value, and exports back to manifests', async () => {
    const project = terraform.project('shop');
    project.write(configuration);
    const applied = await project.run('apply', '-auto-approve', '-no-color');
    expect(applied.text).toContain('3 added, 0 changed, 0 destroyed');
    const { code, text } = await project.run('plan', '-detailed-exitcode', '-no-color');
    expect(code, text).toBe(0);
    const state = await project.run('show', '-json');
    expect(state.text).toContain('/org/local/gvc/shop');
    expect(state.text).not.toContain('never-stored');
    writeFileSync(join(project.folder, 'state.json'), state.text);
    const back = await inProcess(undefined, ['terraform', 'from-state', 'state.json'], { cwd: project.folder });
    expect(back.stdout).toContain('kind: workload');
    const destroyed = await project.run('destroy', '-auto-approve', '-no-color');
    expect(destroyed.text).toContain('3 destroyed');
  });
});
