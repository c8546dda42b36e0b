import { isObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { Exchange } from './exchange.ts';

/** The same exchange with a platform that has words of its own: what leaves is in them, what comes in is neutral. */
export function inDialect(exchange: Exchange, dialect: Dialect): Exchange {
  return {
    async send(request) {
      const { path, body } = request;
      const answer = await exchange.send({
        ...request,
        path: dialect.address(path, 'toWire'),
        ...(body === undefined ? {} : { body: objectOf(dialect.request(path, body, 'toWire')) }),
      });
      const { status, body: said } = answer;
      return said === undefined ? answer : { ...answer, body: dialect.answer(path, status, said, 'toNeutral') };
    },
    close: () => exchange.close(),
  };
}

function objectOf(value: JsonValue): JsonObject {
  if (isObject(value)) return value;
  throw new TypeError('a dialect made something else of an object');
}
