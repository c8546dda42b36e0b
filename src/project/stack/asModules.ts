import { readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const asModule: Readonly<Record<string, string>> = { 'commonjs-typescript': 'module-typescript', commonjs: 'module' };
const importOrExport = /^(import|export)\b/m;

/**
 * Stacks are written with `import` and `export`. In a package of `"type": "commonjs"`, which `npm init` writes, Node
 * would refuse them: there the files of the stack that use these words are loaded as modules all the same.
 */
export function loadAsModules(stack: string): void {
  if (!isCommonJs(stack)) return;
  module.registerHooks({
    load(url, context, next) {
      const format = asModule[context.format ?? ''];
      if (format === undefined || !url.startsWith('file:') || url.includes('/node_modules/')) return next(url, context);
      const isModule = importOrExport.test(readFileSync(fileURLToPath(url), 'utf8'));
      return next(url, isModule ? { ...context, format } : context);
    },
  });
}

function isCommonJs(file: string): boolean {
  const path = module.findPackageJSON(pathToFileURL(file));
  if (path === undefined) return false;
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof content === 'object' && content !== null && 'type' in content && content.type === 'commonjs';
  } catch {
    return false; // Node says what is wrong with it
  }
}
