import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { ToolError } from '../base/toolError.ts';
import type { Environment } from '../project/session/session.ts';
import type { Tracing } from '../project/session/tracing.ts';
import type { Collector } from './collector.ts';
import { watchRequests } from './watchRequests.ts';

/** How long a command waits at its end for a collector that does not answer. */
const longestFlushMs = 2_000;
/** Spans that wait to be sent; more are dropped. */
const mostWaiting = 20_000;

/** A trace of one command. */
export interface Trace {
  readonly tracing: Tracing;
  /** Sends what is left. Never throws; the text of a note where not everything was taken. */
  close(): Promise<string | undefined>;
}

export interface TraceOptions {
  readonly collector: Collector;
  /** With `TRACEPARENT` of the pipeline's own trace, which is continued. */
  readonly environment: Environment;
  /** Of Gantry. */
  readonly version: string;
}

/** Traces by the SDK of OpenTelemetry. Nothing of it is global: another user of OpenTelemetry in the process is left alone. */
export function openTracing({ collector, environment, version }: TraceOptions): Trace {
  const { url, headers, resource } = collector;
  const exporter = new Noted(new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: longestFlushMs }));
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
  const outer = outerContext(propagator, environment);
  const current = new AsyncLocalStorage<Context>();
  const here = (): Context => current.getStore() ?? outer;

  return {
    tracing: {
      async phase(name, work) {
        const span = tracer.startSpan(name, { kind: SpanKind.INTERNAL }, here());
        const fail = (error: unknown): void => {
          span.setAttribute('error.type', error instanceof ToolError ? error.code : '_OTHER');
          span.setStatus({ code: SpanStatusCode.ERROR });
        };
        try {
          const result = await current.run(trace.setSpan(here(), span), work);
          if (result instanceof ToolError) fail(result);
          return result;
        } catch (error) {
          fail(error);
          throw error;
        } finally {
          span.end();
        }
      },
      requests: watchRequests(tracer, propagator, here),
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
      return `note: not all traces were taken by ${new URL(url).origin}`;
    },
  };
}

/** The span that the environment names, so that the trace of the pipeline goes on here. */
function outerContext(propagator: W3CTraceContextPropagator, { TRACEPARENT, TRACESTATE }: Environment): Context {
  const carrier = { traceparent: TRACEPARENT, tracestate: TRACESTATE };
  return propagator.extract(ROOT_CONTEXT, carrier, {
    get: (from, key) => (key === 'traceparent' ? from.traceparent : key === 'tracestate' ? from.tracestate : undefined),
    keys: () => ['traceparent', 'tracestate'],
  });
}

type Done = Parameters<SpanExporter['export']>[1];

/** An exporter that remembers whether anything could not be sent. */
class Noted implements SpanExporter {
  readonly #exporter: SpanExporter;
  #hasFailed = false;

  constructor(exporter: SpanExporter) {
    this.#exporter = exporter;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  export(spans: ReadableSpan[], done: Done): void {
    this.#exporter.export(spans, (result) => {
      this.#hasFailed ||= result.error !== undefined;
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }
}
