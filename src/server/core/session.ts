import type { ApiRequest } from '../http/message.ts';
import type { Transaction } from '../store/row.ts';
import type { Caller } from './caller.ts';
import type { Platform } from './platform.ts';

/** One request to one route. */
export interface Call {
  readonly platform: Platform;
  readonly request: ApiRequest;
  readonly caller: Caller;
  /** What stands in the path for the `{names}` of the route's template. */
  readonly params: Readonly<Record<string, string>>;
}

/** The platform inside one transaction. */
export interface UnitOfWork {
  readonly platform: Platform;
  readonly tx: Transaction;
}

/** A request inside a transaction. */
export interface Session extends UnitOfWork {
  readonly caller: Caller;
}

export function readIn<T>({ platform, caller }: Call, work: (session: Session) => T): Promise<T> {
  return platform.store.read((tx) => work({ platform, tx, caller }));
}
