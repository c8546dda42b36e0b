import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { ToolError } from '../base/toolError.ts';
import type { RequestWatch } from '../client/http/exchange.ts';
import type { Environment, Tracing } from '../project/session/session.ts';
import type { Collector } from './collector.ts';

/** How long a command waits at its end for a collector that does not answer. */
const longestFlushMs = 2_000;
/** Spans waiting to be sent; more are dropped. */
const mostWaiting = 20_000;

/** One of several traces of a process, which ends with its work. */
export interface OwnTrace {
  readonly tracing: Tracing;
  end(attributes: Attributes, error: unknown): void;
}

/** A trace of one command, and more if its work has many parts. */
export interface Trace {
  readonly tracing: Tracing;
  /** Begins another trace, outside of the command's or the pipeline's. */
  begin(name: string, attributes: Attributes): OwnTrace;
  /** Sends the remaining spans. Never throws; returns a note if some were not accepted. */
  close(): Promise<string | undefined>;
}

export interface TraceOptions {
  readonly collector: Collector;
  /** With `TRACEPARENT` of the pipeline's own trace, which is continued. */
  readonly environment: Environment;
  /** Gantry's version. */
  readonly version: string;
  /** Called with the text of a note when the collector first fails. */
  readonly onLost?: (note: string) => void;
}

/** Traces by the SDK of OpenTelemetry. Nothing is global, so other users of OpenTelemetry are not affected. */
export function openTracing({ collector, environment, version, onLost = () => {} }: TraceOptions): Trace {
  const { url, headers, resource } = collector;
  const lost = `note: not all traces were taken by ${new URL(url).origin}`;
  const exporter = new Noted(
    new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: longestFlushMs }),
    () => onLost(lost),
  );
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: mostWaiting,
    scheduledDelayMillis: 1_000,
    exportTimeoutMillis: longestFlushMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ ...resource, 'service.version': version }),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('gantry', version);
  const propagator = new W3CTraceContextPropagator();

  function tracingIn(outer: Context): Tracing {
    const current = new AsyncLocalStorage<Context>();
    const here = (): Context => current.getStore() ?? outer;
    return {
      async phase(name, work) {
        const span = tracer.startSpan(name, { kind: SpanKind.INTERNAL }, here());
        try {
          const result = await current.run(trace.setSpan(here(), span), work);
          if (result instanceof ToolError) fail(span, result);
          return result;
        } catch (error) {
          fail(span, error);
          throw error;
        } finally {
          span.end();
        }
      },
      requests: watchRequests(tracer, propagator, here),
    };
  }

  return {
    tracing: tracingIn(outerContext(propagator, environment)),
    begin(name, attributes) {
      const span = tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes, root: true });
      return {
        tracing: tracingIn(trace.setSpan(ROOT_CONTEXT, span)),
        end(more, error) {
          span.setAttributes(more);
          if (error !== undefined) fail(span, error);
          span.end();
        },
      };
    },
    async close() {
      const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), longestFlushMs).unref());
      const ended = await Promise.race([
        provider.shutdown().then(
          () => 'sent',
          () => 'failed',
        ),
        late,
      ]);
      if (ended === 'sent' && !exporter.hasFailed) return undefined;
      return lost;
    },
  };
}

function fail(span: Span, error: unknown): void {
  span.setAttribute('error.type', error instanceof ToolError ? error.code : '_OTHER');
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The span in the environment, which continues the pipeline's trace. */
function outerContext(propagator: W3CTraceContextPropagator, { TRACEPARENT, TRACESTATE }: Environment): Context {
  const carrier = { traceparent: TRACEPARENT, tracestate: TRACESTATE };
  return propagator.extract(ROOT_CONTEXT, carrier, {
    get: (from, key) => (key === 'traceparent' ? from.traceparent : key === 'tracestate' ? from.tracestate : undefined),
    keys: () => ['traceparent', 'tracestate'],
  });
}

type Done = Parameters<SpanExporter['export']>[1];

/** An exporter that remembers whether spans could not be sent, and reports the first failure. */
class Noted implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #onLost: () => void;
  #hasFailed = false;
  #isFailing = false;

  constructor(exporter: SpanExporter, onLost: () => void) {
    this.#exporter = exporter;
    this.#onLost = onLost;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  export(spans: ReadableSpan[], done: Done): void {
    this.#exporter.export(spans, (result) => {
      const isFailure = result.error !== undefined;
      if (isFailure && !this.#isFailing) this.#onLost();
      this.#isFailing = isFailure;
      this.#hasFailed ||= isFailure;
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }
}

/**
 * A span for each attempt of a request, with the attributes of HTTP client spans (semantic conventions 1.23 and later,
 * stable), and its `traceparent` for the platform. It contains no headers or body.
 */
function watchRequests(tracer: Tracer, propagator: TextMapPropagator, here: () => Context): RequestWatch {
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

/** The number of earlier attempts. */
function again(attempt: number) {
  return attempt === 1 ? {} : { 'http.request.resend_count': attempt - 1 };
}
