import { stat } from 'node:fs/promises';
import { ToolError } from '../../base/toolError.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { systemReason } from '../files/fileRefusal.ts';
import { fileSizes } from '../files/sizes.ts';

/**
 * The dialect in a file; loads nothing without one. `path`: absolute, or relative to the current folder. Errors:
 * `dialect.file`, and those of `readDialect`.
 */
export async function loadDialect(path: string | undefined): Promise<Dialect | undefined> {
  if (path === undefined) return undefined;
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => true,
  );
  if (isFile) return readDialectFile(path);
  const dialect = fromPipes.get(path) ?? readDialectFile(path);
  fromPipes.set(path, dialect);
  return dialect;
}

/** A pipe (`--dialect <(…)`) can be read only once, but a command loads its dialect several times. */
const fromPipes = new Map<string, Promise<Dialect>>();

async function readDialectFile(path: string): Promise<Dialect> {
  const [{ readDialect }, { readDataFile }] = await Promise.all([
    import('../../dialect/readDialect.ts'),
    import('../files/dataFile.ts'),
  ]);
  const file = await readDataFile(path, { most: fileSizes.configuration, pipes: true }).catch((error: unknown) => {
    throw new ToolError({
      code: 'dialect.file',
      message: `${path}: ${systemReason(error)}`,
      hint: 'Give a YAML file with words and names: --dialect FILE, GANTRY_DIALECT, or dialect in gantry.yaml.',
      place: { file: path },
    });
  });
  return readDialect(file.value, path);
}
