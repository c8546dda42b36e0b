import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Measured, measure } from './process.ts';

/** Terraform's core alone on built-in `terraform_data` resources, in a separate folder: no provider, no network. */
export interface TerraformStack {
  /** Creates everything. Its time grows with the square of N: 25 s for 1,000, about 40 minutes for 10,000. */
  apply(): Promise<Measured>;
  /** Writes a state as if everything had been applied, from the state of one resource. */
  pretendApplied(): void;
  /** Plans; rejects unless there is nothing to do. */
  noop(): Promise<Measured>;
  remove(): void;
}

const quiet = { TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1' };

/** Undefined if there is no `terraform`. */
export async function openTerraform(total: number): Promise<TerraformStack | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-tf-'));
  const sample = join(folder, 'sample');
  mkdirSync(sample);
  const run = (cwd: string, ...args: string[]) => measure('terraform', args, quiet, cwd);
  writeFileSync(join(folder, 'main.tf'), blocks(total));
  writeFileSync(join(sample, 'main.tf'), blocks(1));
  try {
    for (const cwd of [folder, sample]) await run(cwd, 'init', '-no-color');
    await run(sample, 'apply', '-auto-approve', '-no-color');
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined; // no such program
  }
  return {
    apply: () => run(folder, 'apply', '-auto-approve', '-no-color'),
    pretendApplied() {
      const state = JSON.parse(readFileSync(join(sample, 'terraform.tfstate'), 'utf8'));
      const text = JSON.stringify(state.resources[0]);
      state.resources = Array.from({ length: total }, (_, index) => JSON.parse(text.replaceAll('r0', `r${index}`)));
      writeFileSync(join(folder, 'terraform.tfstate'), JSON.stringify(state));
    },
    async noop() {
      const measured = await run(folder, 'plan', '-no-color');
      if (!measured.stdout.includes('No changes.')) throw new Error(`Terraform has changes:\n${measured.stdout}`);
      return measured;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function blocks(total: number): string {
  return Array.from(
    { length: total },
    (_, index) => `resource "terraform_data" "r${index}" {\n  input = { name = "r${index}", cpu = "250m" }\n}\n`,
  ).join('');
}
