import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Node inside Gantry's executable (`src/cli/executable`); undefined if Gantry runs on the machine's Node. */
export function carriedNode(): string | undefined {
  const own = join(dirname(process.execPath), 'node_modules', 'gantry') + sep;
  return fileURLToPath(import.meta.url).startsWith(own) ? process.execPath : undefined;
}
