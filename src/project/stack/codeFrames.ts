import { fileURLToPath } from 'node:url';
import type { Position } from '../../manifest/model/manifest.ts';

/** A syntax error has no frame of its own: its stack begins with `file:///stack.ts:3`, or a bare path. */
export function syntaxPlace(stack: string): Position | undefined {
  const [, place = '', line] = /^(file:\/\/\S+|\/\S+|[A-Za-z]:\\\S+):(\d+)$/m.exec(stack.split('\n', 1)[0] ?? '') ?? [];
  if (place === '') return undefined;
  return { file: place.startsWith('file:') ? fileURLToPath(place) : place, line: Number(line), column: 1 };
}

/** Errors that our own constructs throw are about the line that called them. */
const ourFolders = ((): readonly string[] => {
  const here = fileURLToPath(import.meta.url).replaceAll('\\', '/');
  const root = here.slice(0, here.lastIndexOf(here.includes('/src/project/') ? '/src/project/' : '/dist/'));
  return ['src', 'constructs', 'dist'].map((folder) => `${root}/${folder}/`);
})();

export function isOurs(file: string): boolean {
  const path = file.replaceAll('\\', '/');
  return ourFolders.some((folder) => path.startsWith(folder));
}
