/**
 * The provider under the real `terraform`: requests, time, and memory of the provider of one create, plan without changes,
 * plan with a tenth changed, apply of it and destroy; beside it the same of the built-in `terraform_data`, which is the
 * core alone. `npm run bench:terraform -- [N…] [--latency MS]…` runs what is in dist/.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer } from '../src/server/start.ts';
import { developmentConfiguration } from '../src/terraform/documents/cliConfiguration.ts';
import { providerSource } from '../src/terraform/model/provider.ts';

const provider = new URL('../dist/terraform-provider', import.meta.url).pathname;
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { latency: { type: 'string', multiple: true, default: ['0', '20'] } },
});
const counts = positionals.length === 0 ? [100, 1000] : positionals.map(Number);

type Resources = (count: number, changed: number) => string;

/** Groups: small records of one kind, so that what is measured is the way there. */
const groups: Resources = (count, changed) =>
  `terraform {\n  required_providers {\n    gantry = { source = "${providerSource}" }\n  }\n}\n` +
  `resource "gantry_group" "all" {\n  count = ${count}\n  name = "group-\${count.index}"\n` +
  `  description = count.index < ${changed} ? "changed" : "first"\n}\n`;
const data: Resources = (count, changed) =>
  `resource "terraform_data" "all" {\n  count = ${count}\n  input = count.index < ${changed} ? "changed" : "first"\n}\n`;

interface Measured {
  readonly seconds: number;
  /** The most that a provider process had in memory, in MB; 0: there was none. */
  readonly memory: number;
}

function terraform(
  folder: string,
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<Measured> {
  const began = performance.now();
  const child = spawn('terraform', [...args, '-no-color'], { cwd: folder, env: { ...process.env, ...environment } });
  let text = '';
  let memory = 0;
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += String(part)));
  const timer = setInterval(() => {
    memory = Math.max(memory, memoryBelow(child.pid));
  }, 100);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => {
      clearInterval(timer);
      if (code === 0) resolve({ seconds: (performance.now() - began) / 1000, memory });
      else reject(new Error(`terraform ${args.join(' ')}: ${text}`));
    });
  });
}

/** Of the children of a process, whichever thread started them; 0 where the system does not say. */
function memoryBelow(pid: number | undefined): number {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' '),
    );
    return Math.max(0, ...children.filter((child) => child !== '').map(memoryOf));
  } catch {
    return 0;
  }
}

function memoryOf(pid: string): number {
  const [, kilobytes = 0] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

async function measure(name: string, resources: Resources, count: number, latencyMs: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-'));
  let requests = 0;
  const platform = await startServer({ port: 0, noAuth: true, latencyMs, requestLog: () => (requests += 1) });
  writeFileSync(join(folder, 'terraform.rc'), developmentConfiguration(provider));
  const environment = {
    CHECKPOINT_DISABLE: '1',
    TF_IN_AUTOMATION: '1',
    TF_CLI_CONFIG_FILE: join(folder, 'terraform.rc'),
    GANTRY_ENDPOINT: platform.url,
    GANTRY_ORG: 'local',
  };
  try {
    if (name === 'terraform_data') writeFileSync(join(folder, 'terraform.rc'), '');
    for (const [step, changed, args] of [
      ['create', 0, ['apply', '-auto-approve']],
      ['plan, nothing changed', 0, ['plan']],
      ['plan, a tenth changed', count / 10, ['plan']],
      ['apply of a tenth', count / 10, ['apply', '-auto-approve']],
      ['destroy', count / 10, ['destroy', '-auto-approve']],
    ] as const) {
      writeFileSync(join(folder, 'main.tf'), resources(count, changed));
      requests = 0;
      const { seconds, memory } = await terraform(folder, environment, args);
      const cells = [name, count, latencyMs, step, seconds.toFixed(2), requests, memory.toFixed(0)];
      process.stdout.write(`| ${cells.join(' | ')} |\n`);
    }
  } finally {
    await platform.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

process.stdout.write(
  '| resources | N | latency, ms | step | s | requests | provider, MB |\n|---|---|---|---|---|---|---|\n',
);
for (const count of counts) {
  for (const latency of values.latency) await measure('gantry', groups, count, Number(latency));
  await measure('terraform_data', data, count, 0);
}
