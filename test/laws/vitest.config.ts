import { mergeConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

/** The tests of the laws by themselves, each counting what it runs. */
export default mergeConfig(config, {
  root: new URL('../..', import.meta.url).pathname,
  test: { setupFiles: ['test/laws/setup.ts'] },
});
