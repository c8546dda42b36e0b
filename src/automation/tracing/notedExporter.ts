import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

type Done = Parameters<SpanExporter['export']>[1];

/** An exporter that remembers whether anything could not be sent. */
export class Noted implements SpanExporter {
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
