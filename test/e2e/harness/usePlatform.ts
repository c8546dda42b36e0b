import { afterAll, beforeAll } from 'vitest';
import { openPlatform, type Platform } from './platform.ts';

/** A platform in this process for a file or a group of tests: started before them, stopped after them. */
export function usePlatform(...options: Parameters<typeof openPlatform>): Platform {
  let started: Platform | undefined;
  beforeAll(async () => {
    started = await openPlatform(...options);
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
    seen: () => platform().seen(),
    call: (...request) => platform().call(...request),
    stop: () => platform().stop(),
  };
}
