import { mergeConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

/** The tests of the laws, each counting what it runs; `--outputFile.json=FILE` gets the report that scripts/laws.ts reads. */
export default mergeConfig(config, {
  root: new URL('../..', import.meta.url).pathname,
  test: { setupFiles: ['test/laws/setup.ts'], reporters: ['json'] },
});
