import type { Answer } from '../../../src/client/http/answer.ts';
import type { Exchange, Request } from '../../../src/client/http/exchange.ts';

/** When a run dies, as seen from one of its requests. */
export const moments = [
  'before it is sent',
  'after the commit, before the reply',
  'in the middle of the reply',
] as const;
export type Moment = (typeof moments)[number];

export interface Point {
  /** Counted from 1. */
  readonly request: number;
  readonly moment: Moment;
}

export interface Dying {
  readonly exchange: Exchange;
  /** Resolves when the run is dead and the platform has answered everything it received. */
  readonly dead: Promise<Request>;
  readonly sent: () => number;
}

/**
 * An exchange whose run dies at a point: from then on nothing is sent or answered. Requests in flight still reach the
 * platform, and their answers are lost. In the middle of a reply, the other requests of the run continue until only
 * this reply is outstanding.
 */
export function dyingExchange(inner: Exchange, point: Point): Dying {
  const { promise: dead, resolve: die } = Promise.withResolvers<Request>();
  let sent = 0;
  let alive = true;
  let underWay = 0;

  async function end(request: Request): Promise<never> {
    alive = false;
    while (underWay > 0) await nextTurn();
    die(request);
    return never();
  }

  async function whenIdle(): Promise<void> {
    for (let quiet = 0; quiet < 4; quiet += 1) {
      if (underWay > 0) quiet = 0;
      await nextTurn();
    }
  }

  async function passOn(request: Request): Promise<Answer> {
    underWay += 1;
    try {
      return await inner.send(request);
    } finally {
      underWay -= 1;
    }
  }

  return {
    dead,
    sent: () => sent,
    exchange: {
      async send(request) {
        if (!alive) return never();
        sent += 1;
        if (sent !== point.request) {
          const answer = await passOn(request);
          return alive ? answer : never();
        }
        if (point.moment === 'before it is sent') return end(request);
        await passOn(request);
        if (point.moment === 'in the middle of the reply') await whenIdle();
        return end(request);
      },
      close: async () => {},
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function never(): Promise<never> {
  return new Promise(() => {});
}
