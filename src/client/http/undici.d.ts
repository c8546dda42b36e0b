/**
 * Only the pool and its `request`: the package's entry loads every dispatcher, cache and mock, which takes twice as
 * long. Both paths are internal to undici; the tests of this folder run through them, so they fail if an upgrade moves
 * them.
 */
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici';
}

declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici';

  function request(this: Dispatcher, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
  export default request;
}
