import module from 'node:module';
import threads from 'node:worker_threads';

/**
 * Takes from the code of this thread what starts another one: that could be started with permissions of its own
 * (`execArgv`), and read every file. Modules that are imported from here on have what is left.
 */
export function allowNoThreads(): void {
  const denied = (what: string) =>
    function refuse(): never {
      throw Object.assign(new Error(`Access to this API has been restricted: ${what}`), { code: 'ERR_ACCESS_DENIED' });
    };
  Reflect.set(threads, 'Worker', denied('Worker'));
  Reflect.set(module, 'register', denied('register'));
  module.syncBuiltinESMExports();
}
