import { mergeConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

/** Any tests, each with what its requests to the embedded platform came to: scripts/reached.ts. */
export default mergeConfig(config, {
  root: new URL('../..', import.meta.url).pathname,
  // It replaces a module, which Vitest does with hooks of its own.
  test: { setupFiles: ['test/reached/setup.ts'], experimental: { nodeLoader: true } },
});
