import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../cli/process.ts';
import { succeeded } from '../outcome.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

/** Appends the address of each file that is loaded as a module. */
const preload = `
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:')) appendFileSync(process.env.LOADED_FILES, url + '\\n');
      return next(url, context);
    },
  });
`;

describe('a command loads few files, because each of them takes time', () => {
  // esbuild cuts the same code into 15, 150 and 170 chunks.
  test.for([
    [['gvc', '--help'], 6],
    // What a plan runs is a file of its own, so that a plan does not load what other commands run.
    [['rules'], 11],
    [['plan', 'gvc.yaml', '--stack', 'shop', '--embedded'], 25],
  ] as const)('%j', async ([args, most]) => {
    const folder = temporaryFolder('loaded');
    const list = join(folder, 'loaded');
    writeFileSync(join(folder, 'gvc.yaml'), 'kind: gvc\nname: shop\n');
    const options = `--import=data:text/javascript,${encodeURIComponent(preload)}`;
    await succeeded(runCli(args, folder, '', { NODE_OPTIONS: options, LOADED_FILES: list }));
    const loaded = readFileSync(list, 'utf8').trim().split('\n');
    expect(loaded.length, loaded.join('\n')).toBeLessThanOrEqual(most);
  });
});
