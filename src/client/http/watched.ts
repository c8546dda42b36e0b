import type { Answer } from './answer.ts';
import { type Exchange, judgeFailure, type Request } from './exchange.ts';

/** Watches requests, for traces. */
export interface RequestWatch {
  /** One attempt begins. `attempt` counts from 1. `server`: the address that it is sent to. */
  begin(request: Pick<Request, 'method' | 'path'>, attempt: number, server: string): WatchedRequest;
}

export interface WatchedRequest {
  /** Sent along. */
  readonly headers: Readonly<Record<string, string>>;
  readonly answered: (status: number) => void;
  /** There was no answer; `why` is in one word. */
  readonly failed: (why: string) => void;
}

/** The same exchange, with each attempt of each request told. A request that is sent again is the same object. */
export function watched(exchange: Exchange, watch: RequestWatch, server: string): Exchange {
  const attempts = new WeakMap<Request, number>();
  return {
    async send(request): Promise<Answer> {
      const attempt = (attempts.get(request) ?? 0) + 1;
      attempts.set(request, attempt);
      const { headers, answered, failed } = watch.begin(request, attempt, server);
      try {
        const answer = await exchange.send({ ...request, headers });
        answered(answer.status);
        return answer;
      } catch (error) {
        failed(judgeFailure(error).silent ? 'timeout' : 'connection');
        throw error;
      }
    },
    close: () => exchange.close(),
  };
}
