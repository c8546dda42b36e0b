/**
 * The provider under the real `terraform`: requests, time, processor time and memory of one create, plan without
 * changes, plan with a tenth changed, apply of it and destroy; compared with `gantry` on the same records, and with the
 * built-in `terraform_data`, which is Terraform's core alone. `npm run bench:terraform -- [N…] [--latency MS]… [--until
 * STEP] [--provider DIR]` runs the build in dist/, or the provider of another build in DIR. `--other FILE
 * --other-config DIR` adds the executable of another provider: the configuration in DIR names its `source` and has
 * `var.resources` of them, of which `var.changed` are changed, at `var.endpoint`.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { developmentConfiguration } from '../../src/hcl/configuration/cliConfiguration.ts';
import { providerSource } from '../../src/hcl/provider.ts';
import { startServer } from '../../src/server/start.ts';
import { type Used, usedBy } from './processorTime.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    latency: { type: 'string', multiple: true, default: ['0', '20'] },
    until: { type: 'string' },
    other: { type: 'string' },
    'other-config': { type: 'string' },
    provider: { type: 'string', default: new URL('../../dist/terraform-provider', import.meta.url).pathname },
  },
});
const counts = positionals.length === 0 ? [100, 1000] : positionals.map(Number);

const cli = new URL('../../dist/cli.js', import.meta.url).pathname;

type Resources = (count: number, changed: number, endpoint: string) => string;

/** Groups: small records of one kind, so that the overhead is measured. */
const manifests: Resources = (count, changed) =>
  Array.from(
    { length: count },
    (_, index) => `kind: group\nname: group-${index}\ndescription: ${index < changed ? 'changed' : 'first'}\n`,
  ).join('---\n');
const groups: Resources = (count, changed) =>
  `terraform {\n  required_providers {\n    gantry = { source = "${providerSource}" }\n  }\n}\n` +
  `resource "gantry_group" "all" {\n  count = ${count}\n  name = "group-\${count.index}"\n` +
  `  description = count.index < ${changed} ? "changed" : "first"\n}\n`;
const data: Resources = (count, changed) =>
  `resource "terraform_data" "all" {\n  count = ${count}\n  input = count.index < ${changed} ? "changed" : "first"\n}\n`;

/** A measured program, the file that it reads, and its arguments for each step. */
interface Contender {
  readonly name: string;
  readonly command: readonly string[];
  readonly file: string;
  readonly resources: Resources;
  readonly steps: Readonly<Record<Step, readonly string[]>>;
  readonly latencies: readonly number[];
  /** The CLI configuration of Terraform. */
  readonly rc?: string;
  /** Further configuration in the folder. */
  readonly config?: string;
}

const steps = ['create', 'plan, nothing changed', 'plan, a tenth changed', 'apply of a tenth', 'destroy'] as const;
type Step = (typeof steps)[number];
const lastStep = values.until === undefined ? steps.length : steps.findIndex((step) => step === values.until) + 1;
const wrong = [
  ...(lastStep === 0 ? [`--until ${values.until}: there is no such step. One of: ${steps.join('; ')}`] : []),
  ...counts.filter((count) => !(Number.isInteger(count) && count > 0)).map(() => 'N is a number of resources'),
  ...values.latency.filter((each) => !(Number(each) >= 0)).map((each) => `--latency ${each}: write milliseconds`),
];
if (wrong.length > 0) {
  process.stderr.write(`${wrong.join('\n')}\n`);
  process.exit(64);
}

const terraformSteps = {
  create: ['apply', '-auto-approve'],
  'plan, nothing changed': ['plan'],
  'plan, a tenth changed': ['plan'],
  'apply of a tenth': ['apply', '-auto-approve'],
  destroy: ['destroy', '-auto-approve'],
} as const;
const gantrySteps = {
  create: ['apply', '.', '--yes'],
  'plan, nothing changed': ['plan', '.'],
  'plan, a tenth changed': ['plan', '.'],
  'apply of a tenth': ['apply', '.', '--yes'],
  destroy: ['destroy', '--yes'],
} as const;

const latencies = values.latency.map(Number);
const ofTerraform = { command: ['terraform'], file: 'main.tf', steps: terraformSteps } as const;
const contenders: readonly Contender[] = [
  {
    ...ofTerraform,
    name: 'terraform, gantry_group',
    resources: groups,
    latencies,
    rc: developmentConfiguration(resolve(values.provider)),
  },
  ...other(),
  {
    name: 'gantry, group',
    command: [process.execPath, cli],
    file: 'stack.yaml',
    steps: gantrySteps,
    resources: manifests,
    latencies,
  },
  { ...ofTerraform, name: 'terraform, terraform_data', resources: data, latencies: [0] },
];

function other(): readonly Contender[] {
  const { other: executable, 'other-config': config } = values;
  if (executable === undefined && config === undefined) return [];
  if (executable === undefined || config === undefined) throw new Error('--other and --other-config belong together');
  const code = readdirSync(config)
    .filter((name) => name.endsWith('.tf'))
    .map((name) => readFileSync(join(config, name), 'utf8'));
  const [, source] = /\bsource\s*=\s*"([^"]+)"/.exec(code.join('\n')) ?? [];
  if (source === undefined) throw new Error(`no file of ${config} names the source of a provider`);
  return [
    {
      ...ofTerraform,
      name: `terraform, ${source}`,
      file: 'terraform.tfvars.json',
      resources: (resources, changed, endpoint) => JSON.stringify({ resources, changed, endpoint }),
      latencies,
      rc: developmentConfiguration(dirname(resolve(executable)), source),
      config,
    },
  ];
}

interface Measured extends Used {
  readonly seconds: number;
}

function run(
  folder: string,
  environment: Readonly<Record<string, string>>,
  [program = '', ...args]: readonly string[],
): Promise<Measured> {
  const began = performance.now();
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, ...environment } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += String(part)));
  const watched = usedBy(child.pid);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => {
      const used = watched();
      if (code === 0) resolve({ seconds: (performance.now() - began) / 1000, ...used });
      else reject(new Error(`${program} ${args.join(' ')}: ${text}`));
    });
  });
}

async function measure(contender: Contender, count: number, latencyMs: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-'));
  let requests = 0;
  const platform = await startServer({ port: 0, noAuth: true, latencyMs, requestLog: () => (requests += 1) });
  if (contender.config !== undefined) cpSync(contender.config, folder, { recursive: true });
  writeFileSync(join(folder, 'terraform.rc'), contender.rc ?? '');
  writeFileSync(join(folder, 'gantry.yaml'), 'stack: bench\n');
  const environment = {
    CHECKPOINT_DISABLE: '1',
    TF_IN_AUTOMATION: '1',
    TF_CLI_ARGS: '-no-color',
    TF_CLI_CONFIG_FILE: join(folder, 'terraform.rc'),
    GANTRY_ENDPOINT: platform.url,
    GANTRY_ORG: 'local',
    GANTRY_TOKEN: 'none',
  };
  try {
    for (const step of steps.slice(0, lastStep)) {
      const changed = step === 'create' || step === 'plan, nothing changed' ? 0 : count / 10;
      writeFileSync(join(folder, contender.file), contender.resources(count, changed, platform.url));
      requests = 0;
      const measured = await run(folder, environment, [...contender.command, ...contender.steps[step]]);
      const { seconds, itself, children, memory } = measured;
      const figures = [seconds, itself, children].map((figure) => figure.toFixed(2));
      const cells = [contender.name, count, latencyMs, step, ...figures, requests, memory.toFixed(0)];
      process.stdout.write(`| ${cells.join(' | ')} |\n`);
    }
  } finally {
    await platform.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

process.stdout.write(
  '| who, and what | N | latency, ms | step | s | processor, s | of its processes, s | requests | most memory, MB |\n' +
    '|---|---|---|---|---|---|---|---|---|\n',
);
for (const count of counts) {
  for (const contender of contenders) {
    for (const latency of contender.latencies) await measure(contender, count, latency);
  }
}
