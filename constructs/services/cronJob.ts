import type { Construct } from 'constructs';
import type { CronWorkloadProps, Job } from '../../generated/interfaces/props.ts';
import { Workload } from '../kinds/workload.ts';
import type { BeingMade } from '../mistakes.ts';
import { Duration, type DurationText } from '../quantities.ts';
import { checkNames, type PropNames } from './propNames.ts';
import { containerFields, firewallOf, resourceFields, type ServiceProps, serviceNames } from './serviceProps.ts';

export interface CronJobProps extends ServiceProps {
  /** When it runs, in UTC: `Schedule.daily({ hour: 3 })`, or five fields of a cron expression. */
  readonly schedule: string;
  /**
   * What happens to a run that is due while the last one is still running: it is skipped, replaces the last one, or
   * runs in parallel. @default Forbid
   */
  readonly overlap?: Job['concurrencyPolicy'];
  /** How long a run may take before it is stopped. */
  readonly timeout?: DurationText | undefined;
  /** Whether a failed run is started again, up to six times. @default false */
  readonly retry?: boolean | undefined;
  /** Number of runs that are kept in the history, 1 to 10. @default 5 */
  readonly history?: number | undefined;
}

/**
 * A program that runs on a schedule and ends: a workload of the type `cron`.
 *
 * ```ts
 * new CronJob(gvc, 'report', { image: 'report:1', schedule: Schedule.daily({ hour: 3 }), timeout: Duration.hours(1) });
 * ```
 *
 * ```yaml
 * kind: workload
 * name: report
 * gvc: shop
 * spec:
 *   type: cron
 *   containers: [{ name: main, image: 'report:1' }]
 *   job: { schedule: '0 3 * * *', concurrencyPolicy: Forbid, activeDeadlineSeconds: 3600 }
 * ```
 */
export class CronJob extends Workload<'cron'> {
  constructor(scope: Construct, id: string, props: CronJobProps) {
    super(scope, id, propsOf(props, { scope, id }));
  }
}

const names: PropNames<CronJobProps> = {
  ...serviceNames,
  history: true,
  overlap: true,
  retry: true,
  schedule: 'required',
  timeout: true,
};

function propsOf(props: CronJobProps, made: BeingMade): CronWorkloadProps {
  checkNames(made, { what: 'a CronJob', props, names });
  const { history, overlap = 'Forbid', retry, schedule, timeout } = props;
  return {
    ...resourceFields(props),
    type: 'cron',
    identity: props.identity,
    containers: [containerFields(props)],
    job: {
      schedule,
      concurrencyPolicy: overlap,
      historyLimit: history,
      restartPolicy: retry === undefined ? undefined : retry ? 'OnFailure' : 'Never',
      activeDeadlineSeconds: timeout === undefined ? undefined : Duration.inSeconds(timeout),
    },
    firewallConfig: firewallOf(props),
  };
}
