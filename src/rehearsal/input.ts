import type { Exchange } from '../client/http/exchange.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import type { Plan } from '../plan/model/plan.ts';
import type { PlanOptions } from '../plan/model/planOptions.ts';
import type { Base, Ground } from './base.ts';
import type { Known } from './standIns.ts';

/** A plan, and everything it was made from. */
export interface RehearsalInput extends Known {
  readonly plan: Plan;
  readonly desired: readonly DesiredResource[];
  readonly options: PlanOptions;
  /** The complete live state, if it is available, instead of the snapshot. */
  readonly base?: Base;
  /** The state that earlier plans of the same run left. */
  readonly ground?: Ground;
  /** Called with the resulting state if it is consistent. */
  readonly onGround?: (ground: Ground) => void;
  /**
   * How an interrupted run continues, and what must be empty at the end. `replan`: a plan of the same declarations;
   * `remainder`: the rest of this plan, which does not come from declarations alone.
   *
   * @default replan
   */
  readonly resume?: 'replan' | 'remainder';
  /** Also interrupts it everywhere. */
  readonly crash: boolean;
  /** More points than these are sampled. @default 500 */
  readonly mostPoints?: number;
  /** For the sample of points. @default gantry */
  readonly seed?: string;
  /** Called after each point that converged. */
  readonly onPoint?: (tried: number, of: number) => void;
  /** For tests with faulty platforms. `again`: the one on which an interrupted run is resumed. */
  readonly around?: (exchange: Exchange, where: 'first' | 'again') => Exchange;
}
