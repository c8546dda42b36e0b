import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withBlocks } from './reference/blocks.ts';

/**
 * Compares the generated tables of docs/platform with what the schema, the rules and the routes say: exits with 1 where
 * a file differs. `--write` writes them.
 */
const folder = new URL('../docs/platform', import.meta.url).pathname;
const write = process.argv.includes('--write');

for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))) {
  const path = join(folder, file);
  const before = readFileSync(path, 'utf8');
  const after = withBlocks(before);
  if (after === before) continue;
  if (write) writeFileSync(path, after);
  else process.stderr.write(`FAIL docs/platform/${file} says something else; npm run reference -- --write\n`);
  process.exitCode = write ? 0 : 1;
}
