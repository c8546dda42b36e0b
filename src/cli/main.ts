#!/usr/bin/env node
import { enableCompileCache } from '../automation/files/compileCache.ts';
import { isLikelyToRunStack } from './process/guess.ts';
import { Output } from './process/output.ts';
import { version } from './process/version.ts';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const args = process.argv.slice(2);
if (major < 22 || (major === 22 && minor < 19)) {
  const message = `Gantry needs Node 22.19 or newer, this is ${process.versions.node}`;
  const hint = 'Add a newer one to your project: npm install -D node@24. Then run Gantry through npx or an npm script.';
  process.stderr.write(`error cli.node: ${message}\n  hint: ${hint}\n`);
  // What works out the format in general is not loaded here: it may be too new for this Node. JSON is YAML too.
  if (/\s(-o|--output)[\s=]?(json|yaml)(\s|$)/.test(` ${args.join(' ')}`)) {
    process.stdout.write(`${JSON.stringify({ error: { code: 'cli.node', message, hint, retry: 'no' } }, null, 2)}\n`);
  }
  process.exit(1);
}

enableCompileCache(process.env);
if (args[0] === '__complete') {
  const { complete } = await import('./completion/complete.ts');
  const found = await complete(args.slice(1), {
    environment: process.env,
    cwd: process.cwd(),
    file: process.argv[1] ?? '',
    nowMs: Date.now(),
    program: async () => (await import('./program.ts')).makeProgram(async () => {}),
  }).catch(() => '');
  const output = new Output();
  process.stdout.write(found);
  await output.end(0, 1);
}
if (isLikelyToRunStack(args)) {
  const { startEarly } = await import('../automation/stack/early.ts');
  startEarly({ cwd: process.cwd(), environment: process.env, nodeOptions: process.execArgv });
}
if (args.length === 1 && args[0] === '--version') {
  const output = new Output();
  process.stdout.write(`gantry ${version}\n`);
  await output.end(0, 1);
} else {
  const { run } = await import('./run.ts');
  await run(args);
}
