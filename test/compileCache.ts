import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Commands of tests share a compile cache, because their home folders are new. */
export const compileCache = {
  XDG_CACHE_HOME: join(tmpdir(), `gantry-test-cache-${process.getuid?.() ?? ''}`),
} as const;
