import { join } from 'node:path';
import { build } from 'esbuild';

export type WorkflowParser = typeof import('@actions/workflow-parser') &
  typeof import('@actions/workflow-parser/actions/action-parser');

/** GitHub's own parser of workflows, bundled first because it imports JSON in a way that only bundlers support. */
export async function workflowParser(folder: string): Promise<WorkflowParser> {
  const outfile = join(folder, 'workflowParser.mjs');
  await build({
    stdin: {
      contents: `export * from '@actions/workflow-parser';
        export * from '@actions/workflow-parser/actions/action-parser';`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    // CommonJS packages in it require modules of Node.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    outfile,
    logLevel: 'silent',
  });
  return import(outfile);
}
