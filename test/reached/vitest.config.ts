import { mergeConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

/** Any tests, each with what its requests to the embedded platform came to: scripts/reached.ts. */
export default mergeConfig(config, {
  root: new URL('../..', import.meta.url).pathname,
  // It replaces a module. If Node loads the sources, as in all other runs, the server still gets the original.
  test: { setupFiles: ['test/reached/setup.ts'], experimental: { viteModuleRunner: true } },
});
