import { createHash } from 'node:crypto';
import { build } from 'esbuild';
import { bundledPackages, licencesText } from './licences.ts';

/** The pages that run in a browser, each a folder of `browser/`. */
export const pages = ['report', 'console', 'fleet'] as const;
type Page = (typeof pages)[number];

/** A page as two texts, with the list of their content. */
export function bundlePage(root: string, page: Page) {
  return build({
    absWorkingDir: root,
    entryPoints: { page: `browser/${page}/main.tsx`, style: `browser/${page}/style.css` },
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
 * The module with the script and the style of a page, each with its hash for the page's policy. The script begins with
 * the licences of its content, because a report is a copy of it. Errors: text that could end its HTML element.
 */
export async function pageModule(root: string, page: Page): Promise<string> {
  const { outputFiles, metafile } = await bundlePage(root, page);
  const notice = `/*\n${licencesText(bundledPackages([metafile], [], root))}*/\n`;
  const texts = outputFiles.map(({ path, text }) =>
    path.endsWith('.css') ? { name: 'style', text: text.trim() } : { name: 'script', text: notice + text.trim() },
  );
  return texts
    .map(({ name, text }) => {
      if (/<\/(?:script|style)|<!--/i.test(text))
        throw new Error(`the ${name} of the page ${page} would end its element`);
      const hash = createHash('sha256').update(text).digest('base64');
      return `export const ${name} = ${JSON.stringify(text)};\nexport const ${name}Hash = 'sha256-${hash}';\n`;
    })
    .join('');
}
