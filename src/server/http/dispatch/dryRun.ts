import { suggestion } from '../../../base/text/suggestion.ts';
import { type Described, takesDryRun } from '../../api/openapi/described.ts';
import type { Platform } from '../../core/platform.ts';
import type { Store, Transaction } from '../../store/model/row.ts';
import { ApiFailure } from '../apiFailure.ts';
import type { ApiReply, RequestHead } from '../message.ts';

/**
 * Whether a request is only tried (platform/wire.dry-run). Throws 400 where that cannot be, where the value is another,
 * and for a parameter that the write does not have: a misspelt `dryRun` would write.
 */
export function isDryRun(route: Described, { query }: Pick<RequestHead, 'query'>): boolean {
  if (query.size === 0 || route.method === 'GET' || route.permission === 'view') return false;
  const known = ['dryRun', ...(route.query ?? []).map(({ name }) => name)];
  for (const name of query.keys()) if (!known.includes(name)) throw unknownParameter(route, name, known);
  const values = query.getAll('dryRun');
  if (values.length === 0) return false;
  const [value] = values;
  if (values.length > 1 || (value !== 'true' && value !== 'false')) {
    throw new ApiFailure(400, 'dryRun is true or false, and is given once');
  }
  if (value === 'false') return false;
  if (!takesDryRun(route)) throw new ApiFailure(400, `${route.id} cannot be tried: it takes no dryRun`);
  return true;
}

function unknownParameter(route: Described, name: string, known: readonly string[]): ApiFailure {
  const meant = suggestion(name, known);
  const hint = meant === undefined ? '' : `. ${meant}`;
  return new ApiFailure(400, `${route.id} has no query parameter ${JSON.stringify(name.slice(0, 64))}${hint}`);
}

/** The platform for a request that is only tried: each of its transactions is rolled back. */
export function rehearsing(platform: Platform): Platform {
  return { ...platform, store: rolledBack(platform.store) };
}

/** Carries the result of a transaction out of it. */
class Rehearsed<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super('rehearsed');
    this.result = result;
  }
}

function rolledBack(store: Store): Store {
  return {
    read: (work, of) => store.read(work, of),
    async write<T>(work: (tx: Transaction) => T): Promise<T> {
      let done: Rehearsed<T> | undefined;
      try {
        return await store.write((tx): T => {
          done = new Rehearsed(work(tx));
          throw done;
        });
      } catch (error) {
        if (error instanceof Rehearsed && error === done) return done.result;
        throw error;
      }
    },
  };
}

/** The reply that the request would have had; nothing was created, and nothing goes on. */
export function rehearsedReply({ body, headers = {} }: ApiReply): ApiReply {
  const { location: _, ...others } = headers;
  return { status: 200, body, headers: others };
}
