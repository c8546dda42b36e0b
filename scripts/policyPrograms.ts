import { build } from 'esbuild';
import { withoutClient } from './bundling.ts';

/**
 * The programs beside policies in their sandbox, and those that rules need there: a text each, with all that they
 * import.
 */
export async function policyProgramsModule(root: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { policies: 'src/policies/run/inSandbox.ts', rules: 'src/policies/rules/inSandbox.ts' },
    outdir: 'generated/policies',
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'warning',
    plugins: [withoutClient],
  });
  return outputFiles
    .map(
      ({ path, text }) =>
        `export const ${path.endsWith('rules.js') ? 'rules' : 'policies'} = ${JSON.stringify(text)};\n`,
    )
    .join('');
}
