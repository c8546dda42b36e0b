import { type Context, SpanKind, SpanStatusCode, type TextMapPropagator, type Tracer, trace } from '@opentelemetry/api';
import type { RequestWatch } from '../client/http/watched.ts';

/**
 * A span for each attempt of a request, with the attributes of HTTP client spans (semantic conventions 1.23 and later,
 * stable), and its `traceparent` for the platform. No header and no body is in it.
 */
export function watchRequests(tracer: Tracer, propagator: TextMapPropagator, here: () => Context): RequestWatch {
  return {
    begin({ method, path }, attempt, server) {
      const parent = here();
      const span = tracer.startSpan(
        method,
        {
          kind: SpanKind.CLIENT,
          attributes: { 'http.request.method': method, ...addressOf(server, path), ...again(attempt) },
        },
        parent,
      );
      const headers: Record<string, string> = {};
      propagator.inject(trace.setSpan(parent, span), headers, {
        set: (carrier: Record<string, string>, key, value) => {
          carrier[key] = value;
        },
      });
      const fail = (why: string): void => {
        span.setAttribute('error.type', why);
        span.setStatus({ code: SpanStatusCode.ERROR });
      };
      return {
        headers,
        answered(status) {
          span.setAttribute('http.response.status_code', status);
          if (status >= 400) fail(String(status));
          span.end();
        },
        failed(why) {
          fail(why);
          span.end();
        },
      };
    },
  };
}

/** Without user and password. */
function addressOf(server: string, path: string) {
  if (!URL.canParse(server)) return {};
  const { origin, pathname, hostname, port, protocol } = new URL(server);
  return {
    'url.full': `${origin}${pathname.replace(/\/+$/, '')}${path}`,
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
}

/** How often it was sent before. */
function again(attempt: number) {
  return attempt === 1 ? {} : { 'http.request.resend_count': attempt - 1 };
}
