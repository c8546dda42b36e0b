import type { ApplyClock } from '../base/clock.ts';
import type { JsonObject } from '../base/json/json.ts';
import { type Client, makeClient } from '../client/client.ts';
import type { Answer } from '../client/http/answer.ts';
import type { Exchange, Request } from '../client/http/exchange.ts';
import { cleanRefusal } from '../client/http/readAnswer.ts';
import { type ApiReply, type InProcessOptions, type InProcessPlatform, openInProcess } from '../server/inProcess.ts';
import { cutOff } from './recorder.ts';
import { showsStandIn } from './standInSecret.ts';

/** The platform of this process with a separate client; its time advances during waits. */
export interface Stage {
  readonly platform: InProcessPlatform;
  readonly client: Client;
  readonly clock: ApplyClock;
  close(): Promise<void>;
}

export interface StageOptions extends InProcessOptions {
  readonly org: string;
  /** Wraps the exchange with the platform, to watch requests or to break them. */
  readonly around?: (exchange: Exchange) => Exchange;
}

export async function openStage({ around = (exchange) => exchange, ...options }: StageOptions): Promise<Stage> {
  const platform = await openInProcess({ ...options, tolerate: 'existing' });
  const clock: ApplyClock = {
    now: platform.now,
    async sleep(ms) {
      await platform.stepTo(platform.now() + ms);
    },
  };
  const client = clientOn(clock, options.org, around(exchangeWith(platform)));
  return { platform, client, clock, close: () => platform.close() };
}

/** Another client of the platform in this process. */
export function clientOn(clock: ApplyClock, org: string, exchange: Exchange): Client {
  return makeClient({
    endpoint: 'inside this process',
    org,
    exchange,
    seesEverything: true,
    random: middle,
    sleep: clock.sleep,
  });
}

/** The jitter of delays, the same each time. */
export const middle = (): number => 0.5;

/** The exchange with a platform in this process. */
export function exchangeWith(platform: InProcessPlatform): Exchange {
  return {
    async send({ method, path, body, hidden = [] }: Request) {
      const bodyText = body === undefined ? '' : JSON.stringify(body);
      const reply = await platform.send({ method, path, bodyText });
      if (reply === undefined) throw cutOff();
      const answer = answerOf(reply, hidden);
      return path.endsWith('/-reveal') && showsStandIn(answer.body) ? unread : answer;
    },
    async close() {},
  };
}

function answerOf({ status, body, headers }: ApiReply, hidden: readonly string[]): Answer {
  return {
    status,
    body: status < 400 ? JSON.parse(body) : cleanRefusal(JSON.parse(body), hidden),
    retryAfter: headers?.['retry-after'],
    date: undefined,
  };
}

const refusal: JsonObject = { status: 403, message: 'the values of this secret were not read' };
const unread: Answer = { status: 403, body: refusal, retryAfter: undefined, date: undefined };
