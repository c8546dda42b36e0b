import { FileRefusal } from './fileRefusal.ts';
import { readBytes } from './readBytes.ts';
import { fileSizes } from './sizes.ts';

/**
 * The token in a file or a pipe that contains nothing else. Errors: as `readBytes`, and `FileRefusal` if it is empty.
 */
export async function readToken(path: string): Promise<string> {
  const token = (await readBytes(path, { most: fileSizes.settings, pipes: true })).toString('utf8').trim();
  if (token === '') throw new FileRefusal('it is empty');
  return token;
}
