#!/usr/bin/env node
import module from 'node:module';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `error cli.node: Gantry needs Node 22.19 or newer, this is ${process.versions.node}\n` +
      '  hint: run it through npx or an npm script: the project brings its own Node.\n',
  );
  process.exit(1);
}

module.enableCompileCache?.();
const { run } = await import('./run.ts');
await run(process.argv.slice(2));
