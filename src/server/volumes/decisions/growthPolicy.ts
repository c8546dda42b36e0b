import { type JsonObject, numberAt, objectAt, own } from '../../../base/json/json.ts';
import { mostCapacity } from '../../../kinds/volumeset/rules.ts';

/** The automatic growth of the volumes of a set (platform/volumeset.growth). */
export interface GrowthPolicy {
  /** 1 to 100. */
  readonly minFreePercentage: number;
  readonly scalingFactor: number;
  /** GB. */
  readonly maxCapacity: number;
  readonly predictive: PredictivePolicy | undefined;
}

export interface PredictivePolicy {
  readonly lookbackHours: number;
  readonly projectionHours: number;
  readonly minDataPoints: number;
  readonly minGrowthRateGBPerHour: number;
  readonly scalingFactor: number;
}

/**
 * The policy of a volume set; undefined if its volumes do not grow: both laws need a percentage and a factor
 * (platform/volumeset.growth). Without `maxCapacity` the cap is the limit of the storage class.
 */
export function growthPolicy(volumeSet: JsonObject): GrowthPolicy | undefined {
  const autoscaling = objectAt(objectAt(volumeSet, 'spec'), 'autoscaling');
  const [minFreePercentage, scalingFactor] = ['minFreePercentage', 'scalingFactor'].map((key) => own(autoscaling, key));
  if (typeof minFreePercentage !== 'number' || typeof scalingFactor !== 'number') return undefined;
  const predictive = objectAt(autoscaling, 'predictive');
  return {
    minFreePercentage,
    scalingFactor,
    maxCapacity: Math.min(numberAt(autoscaling, 'maxCapacity') ?? mostCapacity, mostCapacity),
    predictive: own(predictive, 'enabled') === true ? predictivePolicy(predictive, scalingFactor) : undefined,
  };
}

/** With its defaults (platform/volumeset.growth). */
function predictivePolicy(predictive: JsonObject, inherited: number): PredictivePolicy {
  return {
    lookbackHours: numberAt(predictive, 'lookbackHours') ?? 24,
    projectionHours: numberAt(predictive, 'projectionHours') ?? 6,
    minDataPoints: numberAt(predictive, 'minDataPoints') ?? 10,
    minGrowthRateGBPerHour: numberAt(predictive, 'minGrowthRateGBPerHour') ?? 0.01,
    scalingFactor: numberAt(predictive, 'scalingFactor') ?? inherited,
  };
}
