import { type Gvc, Workload } from 'gantry';

export interface ReportOptions {
  readonly image: string;
  /** UTC, 0 to 23. */
  readonly hour: number;
}

/** A job that runs once a day. A run that is still going on is not joined by a second one. */
export function addReport(gvc: Gvc, { image, hour }: ReportOptions): Workload {
  return new Workload(gvc, 'report', {
    type: 'cron',
    containers: [{ name: 'report', image, cpu: '250m', memory: '256Mi' }],
    job: {
      schedule: `0 ${hour} * * *`,
      concurrencyPolicy: 'Forbid',
      historyLimit: 5,
      activeDeadlineSeconds: 3600,
    },
  });
}
