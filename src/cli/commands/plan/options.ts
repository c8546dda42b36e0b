import type {
  AllOption,
  GlobalOptions,
  NotifyOptions,
  PermitOptions,
  PlanTextOptions,
  RehearseOption,
  SignOptions,
} from '../../../terminal/line/options.ts';

export interface PlanCommandOptions
  extends GlobalOptions,
    AllOption,
    PermitOptions,
    PlanTextOptions,
    RehearseOption,
    SignOptions,
    NotifyOptions {
  readonly wait: boolean;
  readonly detailedExitcode: boolean;
  /** The file that the plan is saved to. */
  readonly out?: string;
  /** A file with the live state, as of `GET /-snapshot`: nothing is asked over the network. */
  readonly snapshot?: string;
}
