import { createHash } from 'node:crypto';
import { build } from 'esbuild';

/**
 * The module of the script and the style of an HTML report, each with its hash for the page's policy: `browser/report`
 * as two texts. Errors: what could end the element that a text is put into.
 */
export async function reportPageModule(root: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { page: 'browser/report/main.tsx', style: 'browser/report/style.css' },
    outdir: 'browser',
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: ['chrome123', 'firefox121', 'safari18'],
    charset: 'ascii',
    legalComments: 'none',
    tsconfig: 'browser/tsconfig.json',
    logLevel: 'warning',
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [path.endsWith('.css') ? 'style' : 'script', text.trim()]));
  return [...texts]
    .map(([name, text]) => {
      if (/<\/(?:script|style)|<!--/i.test(text)) throw new Error(`the ${name} of the report would end its element`);
      const hash = createHash('sha256').update(text).digest('base64');
      return `export const ${name} = ${JSON.stringify(text)};\nexport const ${name}Hash = 'sha256-${hash}';\n`;
    })
    .join('');
}
