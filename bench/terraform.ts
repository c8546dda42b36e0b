import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Measured, measure } from './process.ts';

export interface TerraformFigures {
  readonly apply: Measured;
  readonly noop: Measured;
}

const quiet = { TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1' };

/** Terraform's core alone on N built-in `terraform_data` resources; undefined where there is no `terraform`. */
export async function measureTerraform(total: number): Promise<TerraformFigures | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-tf-'));
  try {
    const blocks = Array.from(
      { length: total },
      (_, index) => `resource "terraform_data" "r${index}" {\n  input = { name = "r${index}", cpu = "250m" }\n}\n`,
    );
    writeFileSync(join(folder, 'main.tf'), blocks.join(''));
    const run = (...args: string[]) => measure('terraform', args, quiet, folder);
    try {
      const init = await run('init', '-no-color');
      if (init.code !== 0) return undefined;
    } catch {
      return undefined; // no such program: the column is left out, and the report says so
    }
    const apply = await run('apply', '-auto-approve', '-no-color');
    const noop = await run('plan', '-no-color');
    return { apply, noop };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
