import { afterAll, beforeAll } from 'vitest';
import { type Platform, startPlatform } from './platform.ts';

/** A platform for the tests of a file, or of a group: started before, and stopped after them. */
export function usePlatform(...options: Parameters<typeof startPlatform>): Platform {
  let started: Platform | undefined;
  beforeAll(async () => {
    started = await startPlatform(...options);
  });
  afterAll(() => started?.stop());
  const platform = () => {
    if (started === undefined) throw new Error('the platform is started before the tests, not before that');
    return started;
  };
  return {
    get url() {
      return platform().url;
    },
    get requests() {
      return platform().requests;
    },
    get log() {
      return platform().log;
    },
    get data() {
      return platform().data;
    },
    seen: () => platform().seen(),
    call: (...request) => platform().call(...request),
    stop: () => platform().stop(),
  };
}
