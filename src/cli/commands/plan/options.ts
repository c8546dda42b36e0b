import type {
  AllOption,
  GlobalOptions,
  NotifyOptions,
  PermitOptions,
  PlanTextOptions,
  SignOptions,
} from '../../line/options.ts';

export interface PlanCommandOptions
  extends GlobalOptions,
    AllOption,
    PermitOptions,
    PlanTextOptions,
    SignOptions,
    NotifyOptions {
  readonly wait: boolean;
  readonly detailedExitcode: boolean;
  /** The file that the plan is saved to. */
  readonly out?: string;
  /** True: the plan is run in the platform of this process; `crash`: at every point of interruption too. */
  readonly rehearse?: true | 'crash';
  /** A file with the live state, as of `GET /-snapshot`: nothing is asked over the network. */
  readonly snapshot?: string;
}
