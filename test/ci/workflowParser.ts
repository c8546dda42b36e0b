import { join } from 'node:path';
import { build } from 'esbuild';

/** GitHub's own parser of workflows; it is bundled first, because it imports JSON as only bundlers can. */
export async function workflowParser(folder: string): Promise<typeof import('@actions/workflow-parser')> {
  const outfile = join(folder, 'workflowParser.mjs');
  await build({
    entryPoints: ['@actions/workflow-parser'],
    absWorkingDir: new URL('../..', import.meta.url).pathname,
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'silent',
  });
  return import(outfile);
}
