#!/usr/bin/env node
import { enableCompileCache } from '../project/files/compileCache.ts';
import { inOwnWordsUntil } from '../terminal/habits.ts';
import { printAtOnce } from '../terminal/printAtOnce.ts';
import { version } from '../terminal/version.ts';
import { complete } from './completion/complete.ts';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const args = process.argv.slice(2);
if (major < 22 || (major === 22 && minor < 19)) {
  const message = `Gantry needs Node 22.19 or newer, this is ${process.versions.node}`;
  const hint = 'Add a newer one to your project: npm install -D node@24. Then run Gantry through npx or an npm script.';
  process.stderr.write(`error cli.node: ${message}\n  hint: ${hint}\n`);
  // The usual detection of the format is not loaded: it may be too new for this Node. JSON is valid YAML.
  if (/\s(-o|--output)[\s=]?(json|yaml)(\s|$)/.test(` ${args.join(' ')}`)) {
    process.stdout.write(`${JSON.stringify({ error: { code: 'cli.node', message, hint, retry: 'no' } }, null, 2)}\n`);
  }
  process.exit(1);
}

// These answers load only this file, because a user is typing or waiting.
if (args.length === 1 && args[0] === '--version') process.exit(await printAtOnce(`gantry ${version}\n`));
if (args[0] === '__complete') {
  const surroundings = { environment: process.env, cwd: process.cwd() };
  const found = await complete(inOwnWordsUntil(args.slice(1)), {
    ...surroundings,
    folder: new URL('completion/', import.meta.url),
    nowMs: Date.now(),
    async liveNames(kind, connection) {
      enableCompileCache(process.env);
      const { loadLiveNames } = await import('./start.ts');
      return (await loadLiveNames()).liveNames(kind, connection, surroundings);
    },
  }).catch(() => '');
  process.exit(await printAtOnce(found));
}
enableCompileCache(process.env);
const { start } = await import('./start.ts');
await start(args);
