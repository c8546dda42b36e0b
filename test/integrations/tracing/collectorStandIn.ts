import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterAll } from 'vitest';
import {
  isArray,
  isObject,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  stringAt,
} from '../../../src/base/json/json.ts';
import { listenOnLoopback } from '../../harness/loopback.ts';

/** A span of OTLP in JSON, with its attributes by name. */
export interface SentSpan {
  readonly name: string;
  /** 1: internal, 3: client (opentelemetry-proto, `Span.SpanKind`). */
  readonly kind: number | undefined;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** 2: error. */
  readonly status: number | undefined;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
}

export interface CollectorStandIn {
  readonly url: string;
  readonly spans: readonly SentSpan[];
  readonly resources: readonly SentSpan['attributes'][];
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[];
  /** Sends no answer from now on. */
  fallSilent(isSilent: boolean): void;
  forget(): void;
}

/** Accepts traces on loopback, as `POST /v1/traces` of OTLP/HTTP in JSON; it stops after the tests of a file. */
export async function startCollector(): Promise<CollectorStandIn> {
  const requests: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const spans: SentSpan[] = [];
  const resources: SentSpan['attributes'][] = [];
  let silent = false;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      if (silent) return;
      const { sent, of } = readPayload(body);
      spans.push(...sent);
      resources.push(...of);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}');
    });
  });
  const port = await listenOnLoopback(server);
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    resources,
    requests,
    fallSilent: (isSilent) => {
      silent = isSilent;
    },
    forget: () => {
      for (const list of [spans, resources, requests]) list.length = 0;
    },
  };
}

/** `ExportTraceServiceRequest` (opentelemetry-proto); throws if it has another form. */
function readPayload(body: string) {
  const payload: unknown = JSON.parse(body);
  if (!isObject(payload)) throw new Error('no object');
  const perResource = listAt(payload, 'resourceSpans').filter(isObject);
  const scopes = perResource.flatMap((each) => listAt(each, 'scopeSpans').filter(isObject));
  return {
    of: perResource.map((each) => attributesOf(objectAt(each, 'resource'))),
    sent: scopes.flatMap((scope) => listAt(scope, 'spans').filter(isObject).map(readSpan)),
  };
}

function readSpan(span: JsonObject): SentSpan {
  const [traceId, spanId] = [stringAt(span, 'traceId') ?? '', stringAt(span, 'spanId') ?? ''];
  const [start, end] = [
    BigInt(stringAt(span, 'startTimeUnixNano') ?? '0'),
    BigInt(stringAt(span, 'endTimeUnixNano') ?? '0'),
  ];
  if (!/^[0-9a-f]{32}$/.test(traceId) || !/^[0-9a-f]{16}$/.test(spanId)) throw new Error('ids are hexadecimal in JSON');
  if (start === 0n || end < start) throw new Error('it ends before it starts');
  return {
    name: stringAt(span, 'name') ?? '',
    kind: numberAt(span, 'kind'),
    traceId,
    spanId,
    parentSpanId: stringAt(span, 'parentSpanId'),
    status: numberAt(objectAt(span, 'status'), 'code'),
    attributes: attributesOf(span),
  };
}

function attributesOf(holder: JsonObject): SentSpan['attributes'] {
  const list = listAt(holder, 'attributes');
  if (!isArray(list)) throw new Error('no attributes');
  return Object.fromEntries(
    list.filter(isObject).map((attribute) => {
      const value = objectAt(attribute, 'value');
      const number = value['intValue'];
      return [stringAt(attribute, 'key') ?? '', stringAt(value, 'stringValue') ?? Number(number)] as const;
    }),
  );
}
