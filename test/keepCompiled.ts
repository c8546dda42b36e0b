import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** The sources without their types, compiled: half of the time that a worker needs until its first test runs. */
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/gantry-tests'));

// Vitest ends its workers, which would then leave nothing behind.
afterAll(() => flushCompileCache());
