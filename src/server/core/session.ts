import type { ApiRequest } from '../http/message.ts';
import type { ReadOf, Transaction } from '../store/model/row.ts';
import type { Caller } from './caller.ts';
import type { Platform } from './platform.ts';

/** One request to one route. */
export interface Call {
  readonly platform: Platform;
  readonly request: ApiRequest;
  readonly caller: Caller;
  /** The values of the `{names}` in the template of the route. */
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
  /** Whether the transaction can be repeated after a preparation (`Unprepared`). */
  readonly mayPrepare?: boolean;
}

/** Thrown in a transaction before any write if a value must be computed first that takes too long for a transaction. */
export class Unprepared {
  readonly prepare: () => Promise<void>;

  constructor(prepare: () => Promise<void>) {
    this.prepare = prepare;
  }
}

type Work<T> = (session: Session) => T;
type CallContext = Pick<Call, 'caller' | 'platform'>;

export function readIn<T>({ platform, caller }: CallContext, work: Work<T>, of?: ReadOf): Promise<T> {
  return retryPrepared((mayPrepare) => platform.store.read((tx) => work({ platform, tx, caller, mayPrepare }), of));
}

export function changeIn<T>({ platform, caller }: CallContext, work: Work<T>): Promise<T> {
  return retryPrepared((mayPrepare) => platform.store.write((tx) => work({ platform, tx, caller, mayPrepare })));
}

/** A preparation may be outdated when used; after this many, the transaction computes the value itself. */
const mostPreparations = 3;

async function retryPrepared<T>(run: (mayPrepare: boolean) => Promise<T>): Promise<T> {
  for (let done = 0; ; done += 1) {
    try {
      return await run(done < mostPreparations);
    } catch (error) {
      if (!(error instanceof Unprepared)) throw error;
      await error.prepare();
    }
  }
}
