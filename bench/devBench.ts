/**
 * The time from saving a one-line change to the output with `gantry dev`: 100 resources, applied before, on the
 * platform of this machine. `npm run bench:dev` builds nothing: it runs dist/cli.js.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = new URL('..', import.meta.url).pathname;
const resources = 100;
const saves = 15;

const folder = mkdtempSync(join(tmpdir(), 'gantry-dev-'));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(root, join(folder, 'node_modules/gantry'));
symlinkSync(join(root, 'node_modules/constructs'), join(folder, 'node_modules/constructs'));
writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
writeFileSync(
  join(folder, 'stack.ts'),
  `import { App, Gvc, Stack, Workload } from 'gantry';
import { image } from './settings.ts';
const gvc = new Gvc(new Stack(new App(), 'shop'), 'shop');
for (let index = 1; index < ${resources}; index += 1) {
  const containers = [{ name: 'main', image: index === 1 ? image : 'shop:0', ports: [{ number: 8080 }] }] as const;
  new Workload(gvc, \`web-\${index}\`, { type: 'serverless', containers });
}
`,
);

function save(version: number): void {
  writeFileSync(join(folder, 'settings.ts'), `export const image = 'shop:${version}';\n`);
}

function gantry(args: readonly string[]): readonly [string, readonly string[]] {
  return [process.execPath, [join(root, 'dist/cli.js'), ...args]];
}

/** Resolves when standard output contains the text. */
function printed(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve) => {
    let said = '';
    function read(part: string): void {
      said += part;
      if (!said.includes(text)) return;
      child.stdout?.off('data', read);
      resolve();
    }
    child.stdout?.on('data', read);
  });
}

try {
  save(0);
  const applied = spawnSync(...gantry(['apply', '--embedded', '--yes']), { cwd: folder, encoding: 'utf8' });
  if (applied.status !== 0) throw new Error(applied.stderr);
  const [command, args] = gantry(['dev']);
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.setEncoding('utf8');
  await printed(child, 'No changes');
  const times: number[] = [];
  for (let version = 1; version <= saves; version += 1) {
    await sleep(1_000);
    const shown = printed(child, `shop:0 → shop:${version}\n`);
    const startedMs = performance.now();
    save(version);
    await shown;
    times.push(performance.now() - startedMs);
  }
  child.kill('SIGINT');
  await new Promise((resolve) => child.once('close', resolve));
  times.sort((a, b) => a - b);
  const [middle = 0, most = 0] = [times[Math.floor(times.length / 2)], times.at(-1)];
  console.log(`${resources} resources, ${saves} saves, from the save to the screen:`);
  console.log(`median ${middle.toFixed(0)} ms, most ${most.toFixed(0)} ms`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
