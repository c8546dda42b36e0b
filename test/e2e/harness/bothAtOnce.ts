import { inProcess } from './inProcess.ts';
import type { Platform } from './platform.ts';
import { startProxy, type Verdict } from './proxy.ts';

/** Runs a command in each folder at the same time: no process writes before all have read and planned. */
export async function bothAtOnce(platform: Platform, folders: readonly string[], args: readonly string[]) {
  let writing = 0;
  const started = Promise.withResolvers<void>();
  const proxies = await Promise.all(
    folders.map(() => {
      let mine = false;
      return startProxy(platform.url, async ({ isWrite }): Promise<Verdict> => {
        if (isWrite && !mine) {
          mine = true;
          writing += 1;
          if (writing === folders.length) started.resolve();
        }
        if (isWrite) await started.promise;
        return 'pass';
      });
    }),
  );
  const ended = await Promise.all(
    folders.map((cwd, index) => inProcess({ url: proxies[index]?.url ?? '' }, args, { cwd })),
  );
  await Promise.all(proxies.map((proxy) => proxy.close()));
  return ended;
}
