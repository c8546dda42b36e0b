import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { providerSource } from '../../../src/hcl/provider.ts';

/** The program under test: `GANTRY_TOFU` is the path of an OpenTofu (`npm run tofu` builds one). */
const program = process.env['GANTRY_TOFU'] ?? 'terraform';

/** Why the tests with the real `terraform` are skipped; undefined if they run. With `CI=true` it must be installed. */
export function reasonToSkip(): string | undefined {
  try {
    const { terraform_version: version } = JSON.parse(
      execFileSync(program, ['version', '-json'], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'] ?? '', CHECKPOINT_DISABLE: '1', TF_CLI_CONFIG_FILE: '/dev/null' },
      }),
    );
    return /^1\.(1[1-9]|[2-9]\d)/.test(String(version)) ? undefined : `${program} ${version} is older than 1.11`;
  } catch {
    if (process.env['CI'] === 'true') throw new Error('CI needs terraform on the PATH');
    return `there is no ${program} on the PATH`;
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
  /** Writes `main.tf`: the declaration of the provider, then `configuration`. */
  write(configuration: string): void;
  /** Rejects if Terraform reports a fault of the provider, whatever the exit code. */
  run(...args: readonly string[]): Promise<Ran>;
  /** The same without that check, for runs that are killed. */
  start(...args: readonly string[]): Running;
}

export interface Running {
  readonly child: ChildProcess;
  /** The output so far. */
  readonly text: string;
  readonly ended: Promise<Ran>;
}

/** What Terraform and the provider print about a fault of the provider. */
const faultOfProvider =
  /provider produced (an )?in|planned an invalid|planned for existence|plugin did not respond|request cancelled|unexpected new value|provider made a mistake|plugin crashed|bug in the provider|panic:/i;

/** `environment`: where to find the provider, and its settings. */
export function makeProject(folder: string, environment: Readonly<Record<string, string>>, command = program): Project {
  mkdirSync(folder, { recursive: true });
  const rc = join(folder, 'terraform.rc');
  writeFileSync(rc, environment['TEST_RC'] ?? '');
  return {
    folder,
    write(configuration) {
      const declared = `terraform {\n  required_providers {\n    gantry = { source = "${providerSource}" }\n  }\n}\n`;
      writeFileSync(join(folder, 'main.tf'), `${declared}\n${configuration}`);
    },
    start,
    async run(...args) {
      const ran = await start(...args).ended;
      if (faultOfProvider.test(ran.text)) throw new Error(ran.text);
      return ran;
    },
  };

  function start(...args: readonly string[]): Running {
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      CHECKPOINT_DISABLE: '1',
      TF_IN_AUTOMATION: '1',
      TF_CLI_CONFIG_FILE: rc,
      ...environment,
    };
    // Its own process group, so that a signal reaches it and its providers, as from a terminal.
    const child = spawn(command, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (text += part));
    const ended = new Promise<Ran>((resolve) => child.once('close', (code) => resolve({ code: code ?? 1, text })));
    return {
      child,
      ended,
      get text() {
        return text;
      },
    };
  }
}
