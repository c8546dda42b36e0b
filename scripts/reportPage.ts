import { createHash } from 'node:crypto';
import { build } from 'esbuild';
import { bundledPackages, licencesText } from './licences.ts';

/** `browser/report` as two texts, with what is in them. */
export function bundleReportPage(root: string) {
  return build({
    absWorkingDir: root,
    entryPoints: { page: 'browser/report/main.tsx', style: 'browser/report/style.css' },
    outdir: 'browser',
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: ['chrome123', 'firefox121', 'safari18'],
    charset: 'ascii',
    legalComments: 'none',
    tsconfig: 'browser/tsconfig.json',
    logLevel: 'warning',
  });
}

/**
 * The module of the script and the style of an HTML report, each with its hash for the page's policy. The script begins
 * with the licences of what is in it, as a report is a copy of that. Errors: what
 * could end the element that a text is put into.
 */
export async function reportPageModule(root: string): Promise<string> {
  const { outputFiles, metafile } = await bundleReportPage(root);
  const notice = `/*\n${licencesText(bundledPackages([metafile], [], root))}*/\n`;
  const texts = outputFiles.map(({ path, text }) =>
    path.endsWith('.css') ? { name: 'style', text: text.trim() } : { name: 'script', text: notice + text.trim() },
  );
  return texts
    .map(({ name, text }) => {
      if (/<\/(?:script|style)|<!--/i.test(text)) throw new Error(`the ${name} of the report would end its element`);
      const hash = createHash('sha256').update(text).digest('base64');
      return `export const ${name} = ${JSON.stringify(text)};\nexport const ${name}Hash = 'sha256-${hash}';\n`;
    })
    .join('');
}
