import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestLogEntry } from './http/listen.ts';
import type { Due } from './store/model/row.ts';

/** Metrics for Prometheus. Labels are routes and statuses, never names of records. */
export interface Metrics {
  readonly text: () => Promise<string>;
  readonly answered: (entry: RequestLogEntry) => void;
  readonly jobDone: (due: Due, outcome: 'done' | 'failed') => void;
}

const bucketsInSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function startMetrics(now: () => number): Metrics {
  const registers = [new Registry()];
  const [registry = new Registry()] = registers;
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'gantry_http_requests_total',
    help: 'Requests answered, by operation and status; operation is empty for unknown paths',
    labelNames: ['operation', 'method', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'gantry_http_request_seconds',
    help: 'Time from the first byte of a request to its answer, in seconds',
    labelNames: ['operation'],
    buckets: bucketsInSeconds,
    registers,
  });
  const jobs = new Counter({
    name: 'gantry_jobs_total',
    help: 'Jobs run, by name and outcome',
    labelNames: ['job', 'outcome'],
    registers,
  });
  const lag = new Gauge({ name: 'gantry_job_lag_seconds', help: 'Delay of the last job, in seconds', registers });

  return {
    text: () => registry.metrics(),
    answered({ operation = '', method, status, ms }) {
      requests.inc({ operation, method: methods.has(method) ? method : 'other', status: String(status) });
      seconds.observe({ operation }, ms / 1000);
    },
    jobDone({ job, atMs }, outcome) {
      jobs.inc({ job, outcome });
      lag.set(Math.max(0, (now() - atMs) / 1000));
    },
  };
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
