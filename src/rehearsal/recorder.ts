import { stringAt } from '../base/json/json.ts';
import type { Exchange, Request } from '../client/http/exchange.ts';
import { collectionPath, linkOf, type Ref } from '../schema/record/ref.ts';
import type { SentRequest } from './rehearsal.ts';

export interface Recorded extends SentRequest {
  /** The name of a record to create. */
  readonly name: string | undefined;
  /** Whether it was carried out and may have changed something. */
  wrote: boolean;
  /** Whether its answer was an error, or missing. */
  refused: boolean;
}

/** Keeps the sent requests, in order. */
export class Recorder {
  readonly sent: Recorded[] = [];
  /** Called before each request. */
  before: ((request: Recorded) => Promise<void>) | undefined;
  /** The number of the request whose answer is lost; undefined for none. */
  losing: number | undefined;

  clear(): void {
    this.sent.length = 0;
  }

  /** The number of requests that have changed something, among those answered. */
  get writes(): number {
    return this.sent.filter(({ wrote }) => wrote).length;
  }

  around(exchange: Exchange): Exchange {
    return {
      send: async (request) => {
        const { method, path, body } = request;
        const name = body === undefined ? undefined : stringAt(body, 'name');
        const recorded = { number: this.sent.length + 1, method, path, name, wrote: false, refused: true };
        await this.before?.(recorded);
        this.sent.push(recorded);
        const answer = await exchange.send(request);
        recorded.refused = answer.status >= 400;
        recorded.wrote = isWrite(request) && answer.status < 300;
        if (recorded.number === this.losing) throw cutOff();
        return answer;
      },
      close: () => exchange.close(),
    };
  }

  /** The request at which a run failed: the last refused one of this record, or else the last that wrote it. */
  behind(ref: Ref | undefined, org: string): SentRequest | undefined {
    const last = this.sent.at(-1);
    if (ref === undefined) return last?.refused === true ? plain(last) : undefined;
    const [own, collection] = [linkOf(ref, org), collectionPath(ref.kind, org, ref.gvc)];
    const ofIt = this.sent.filter(
      ({ method, path, name }) => path === own || (method === 'POST' && path === collection && name === ref.name),
    );
    const found = ofIt.findLast(({ refused }) => refused) ?? ofIt.findLast(({ method }) => method !== 'GET');
    return found === undefined ? undefined : plain(found);
  }
}

export function plain({ number, method, path }: SentRequest): SentRequest {
  return { number, method, path };
}

/** The error of a connection that was cut before the answer, as a socket reports it. */
export function cutOff(): Error {
  return Object.assign(new Error('the connection was cut'), { code: 'ECONNRESET' });
}

function isWrite({ method, path }: Request): boolean {
  return method !== 'GET' && !path.includes('/-query') && !path.endsWith('?dryRun=true');
}
