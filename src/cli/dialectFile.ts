import { readFile } from 'node:fs/promises';
import type { Dialect } from '../dialect/dialect.ts';
import { ToolError } from '../errors.ts';

/**
 * The dialect that a file describes; nothing is loaded where there is none. `path` is absolute or of the current folder.
 * Errors: `dialect.file`, and those of `readDialect`.
 */
export async function loadDialect(path: string | undefined): Promise<Dialect | undefined> {
  if (path === undefined) return undefined;
  const [{ readDialect }, { load }] = await Promise.all([import('../dialect/readDialect.ts'), import('js-yaml')]);
  let parsed: unknown;
  try {
    parsed = load(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new ToolError({
      code: 'dialect.file',
      message: `${path}: ${cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : 'it cannot be read'}`,
      hint: 'Give a YAML file with words and names: --dialect FILE, GANTRY_DIALECT, or dialect in gantry.yaml.',
      cause,
    });
  }
  return readDialect(parsed, path);
}
