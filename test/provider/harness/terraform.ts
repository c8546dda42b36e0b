import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { providerSource } from '../../../src/terraform/model/provider.ts';

/** Why the tests with the real `terraform` are left out; undefined: they run. Where `CI=true` it must be there. */
export function reasonToSkip(): string | undefined {
  try {
    const { terraform_version: version } = JSON.parse(
      execFileSync('terraform', ['version', '-json'], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'] ?? '', CHECKPOINT_DISABLE: '1', TF_CLI_CONFIG_FILE: '/dev/null' },
      }),
    );
    return /^1\.(1[1-9]|[2-9]\d)/.test(String(version)) ? undefined : `terraform ${version} is older than 1.11`;
  } catch {
    if (process.env['CI'] === 'true') throw new Error('CI needs terraform on the PATH');
    return 'there is no terraform on the PATH';
  }
}

export interface Ran {
  readonly code: number;
  /** Both outputs. */
  readonly text: string;
}

/** A folder with a configuration and its state. */
export interface Project {
  readonly folder: string;
  /** Writes `main.tf`: what is given, after the declaration of the provider. */
  write(configuration: string): void;
  run(...args: readonly string[]): Promise<Ran>;
}

/** `environment`: how the provider is found, and its settings. */
export function makeProject(folder: string, environment: Readonly<Record<string, string>>): Project {
  mkdirSync(folder, { recursive: true });
  const rc = join(folder, 'terraform.rc');
  writeFileSync(rc, environment['TEST_RC'] ?? '');
  return {
    folder,
    write(configuration) {
      const declared = `terraform {\n  required_providers {\n    gantry = { source = "${providerSource}" }\n  }\n}\n`;
      writeFileSync(join(folder, 'main.tf'), `${declared}\n${configuration}`);
    },
    run: (...args) =>
      new Promise((resolve) => {
        const env = {
          PATH: process.env['PATH'] ?? '',
          HOME: folder,
          CHECKPOINT_DISABLE: '1',
          TF_IN_AUTOMATION: '1',
          TF_CLI_CONFIG_FILE: rc,
          ...environment,
        };
        execFile('terraform', [...args], { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
          resolve({ code, text: `${stdout}${stderr}` });
        });
      }),
  };
}
