import { createServer, request as send } from 'node:http';
import { afterAll, afterEach, expect, test } from 'vitest';
import { listenOnLoopback } from '../../harness/loopback.ts';
import { startCollector } from '../../integrations/tracing/collectorStandIn.ts';
import { succeeded } from '../../outcome.ts';
import { token } from '../harness/platform.ts';
import { usePlatform } from '../harness/usePlatform.ts';
import { useProjects } from '../harness/useProjects.ts';

const platform = usePlatform();
const collector = await startCollector();
const project = useProjects(platform, 'traced');
const canary = 'c4n4ry-S3cret';

afterEach(() => {
  collector.forget();
  collector.fallSilent(false);
});

const collected = () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
const named = (name: string) => collector.spans.filter((span) => span.name === name);
const requestSpans = () => collector.spans.filter(({ kind }) => kind === 3);

test('an apply is one trace with a span for the command, for each phase, and for each request in its phase', async () => {
  const it = project();
  const from = await platform.seen();
  await succeeded(it.runWith(collected(), 'apply', '.', '--yes'));
  const sent = (await platform.seen()) - from - 1;

  const [whole] = named('gantry apply');
  expect(named('gantry apply')).toHaveLength(1);
  expect(whole).toMatchObject({ kind: 1, parentSpanId: undefined, status: 0 });
  expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([whole?.traceId]));
  const phases = new Map(collector.spans.filter(({ kind }) => kind === 1).map((span) => [span.spanId, span.name]));
  expect([...phases.values()].sort()).toEqual(['apply', 'gantry apply', 'load', 'plan']);

  expect(requestSpans()).toHaveLength(sent);
  expect(requestSpans().every(({ parentSpanId = '' }) => phases.has(parentSpanId))).toBe(true);
  const created = requestSpans().find(({ attributes }) => attributes['http.response.status_code'] === 201);
  const { hostname, port } = new URL(platform.url);
  expect(created).toMatchObject({
    name: 'POST',
    attributes: {
      'http.request.method': 'POST',
      'url.full': `${platform.url}/org/local/group`,
      'server.address': hostname,
      'server.port': Number(port),
    },
  });
  expect(phases.get(created?.parentSpanId ?? '')).toBe('apply');
  expect(collector.resources[0]).toMatchObject({ 'service.name': 'gantry', 'service.version': expect.any(String) });
});

test('the trace of a pipeline continues in the command and on the platform', async () => {
  const it = project();
  const seen: (string | undefined)[] = [];
  const recorder = createServer((incoming, outgoing) => {
    const { traceparent } = incoming.headers;
    seen.push(typeof traceparent === 'string' ? traceparent : undefined);
    const passed = send(
      `${platform.url}${incoming.url}`,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(passed);
  });
  const port = await listenOnLoopback(recorder);
  afterAll(() => {
    recorder.closeAllConnections();
    recorder.close();
  });

  // The example of W3C Trace Context, 3.2.
  const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  const env = {
    ...collected(),
    TRACEPARENT: `00-${traceId}-${spanId}-01`,
    GANTRY_ENDPOINT: `http://127.0.0.1:${port}`,
  };
  await succeeded(it.runWith(env, 'plan', '.'));
  expect(named('gantry plan')).toMatchObject([{ traceId, parentSpanId: spanId }]);
  const expected = requestSpans().map((span) => `00-${traceId}-${span.spanId}-01`);
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.toSorted()).toEqual(expected.toSorted());
});

test('a trace that the pipeline does not sample is not sent', async () => {
  const it = project();
  const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';
  await succeeded(it.runWith({ ...collected(), TRACEPARENT }, 'plan', '.'));
  expect(collector.requests).toEqual([]);
});

test('the span of a failed command has its error code, and the span of a refused request its status', async () => {
  const it = project();
  const ended = await it.runWith({ ...collected(), GANTRY_TOKEN: 'wrong-token-1234' }, 'plan', '.');
  expect(ended.code).toBe(1);
  expect(named('gantry plan')).toMatchObject([{ status: 2, attributes: { 'error.type': 'api.unauthorized' } }]);
  const refused = requestSpans().filter(({ attributes }) => attributes['http.response.status_code'] === 401);
  expect(refused.length).toBeGreaterThan(0);
  for (const span of refused) expect(span).toMatchObject({ status: 2, attributes: { 'error.type': '401' } });
});

test('the span of a refused plan is failed, although there is no exception', async () => {
  const it = project();
  await succeeded(it.run('apply', '.', '--yes'));
  const ended = await it.runWith(collected(), 'destroy', '.', '--yes', '--max-deletes', '0');
  expect(ended.code).toBe(3);
  expect(named('gantry destroy')).toMatchObject([{ status: 2, attributes: { 'error.type': 'plan.refused' } }]);
});

test('the variables of OpenTelemetry set name, attributes, headers and address', async () => {
  const it = project();
  const env = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own/path`,
    OTEL_EXPORTER_OTLP_HEADERS: `api-key=${canary}%20x, other=1`,
    OTEL_SERVICE_NAME: 'shop pipeline',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=prod,service.name=not-this',
  };
  await succeeded(it.runWith(env, 'plan', '.'));
  expect(collector.requests.every(({ path }) => path === '/own/path')).toBe(true);
  expect(collector.requests[0]?.headers).toMatchObject({ 'api-key': `${canary} x`, other: '1' });
  expect(collector.resources[0]).toMatchObject({
    'service.name': 'shop pipeline',
    'deployment.environment.name': 'prod',
  });
});

test.each([{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }, { OTEL_EXPORTER_OTLP_ENDPOINT: '' }])(
  'nothing is sent with %j',
  async (env) => {
    const it = project();
    await succeeded(it.runWith({ ...collected(), ...env }, 'plan', '.'));
    expect(collector.requests).toEqual([]);
  },
);

test('a trace contains no secret: no token, no value, no header', async () => {
  const it = project(
    (name) => `kind: secret\nname: ${name}\ntype: opaque\ndata: { payload: ${canary}, encoding: plain }\n`,
  );
  await succeeded(
    it.runWith({ ...collected(), OTEL_EXPORTER_OTLP_HEADERS: `api-key=${canary}` }, 'apply', '.', '--yes'),
  );
  const bodies = collector.requests.map(({ body }) => body).join('\n');
  expect(bodies).toContain('secret');
  expect(bodies).not.toContain(canary);
  expect(bodies).not.toContain(token);
});

test('a collector that is unreachable or does not answer only causes a note', async () => {
  const it = project();
  const gone = await succeeded(it.runWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, 'plan', '.'));
  expect(gone.stderr).toContain('note: not all traces were taken by http://127.0.0.1:1');
  collector.fallSilent(true);
  const silent = await succeeded(it.runWith(collected(), 'plan', '.'));
  expect(silent.stderr).toContain(`note: not all traces were taken by ${collector.url}`);
});
