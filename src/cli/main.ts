#!/usr/bin/env node
import module from 'node:module';
import { version } from './version.ts';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `error cli.node: Gantry needs Node 22.19 or newer, this is ${process.versions.node}\n` +
      '  hint: run it through npx or an npm script: the project brings its own Node.\n',
  );
  process.exit(1);
}

module.enableCompileCache?.();
const args = process.argv.slice(2);
if (args.length === 1 && args[0] === '--version') {
  process.stdout.write(`gantry ${version}\n`);
} else {
  const { run } = await import('./run.ts');
  await run(args);
}
