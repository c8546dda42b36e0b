import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Node in the executable of Gantry (`src/cli/executable`); undefined: Gantry runs on the Node of the machine. */
export function carriedNode(): string | undefined {
  const own = join(dirname(process.execPath), 'node_modules', 'gantry') + sep;
  return fileURLToPath(import.meta.url).startsWith(own) ? process.execPath : undefined;
}
