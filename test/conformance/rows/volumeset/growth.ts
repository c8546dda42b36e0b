import { expect } from 'vitest';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { problemPaths } from '../../harness/fieldRows.ts';
import { makeGvc } from '../../harness/fixtures.ts';
import { itemsAt } from '../../harness/place.ts';
import { ownPart, type Part, parted, type Row, row } from '../../harness/row.ts';
import { mounted, sizeOf, use } from '../../harness/volumes.ts';
import type { Wire } from '../../harness/wire.ts';

const policy = { maxCapacity: 100, minFreePercentage: 50, scalingFactor: 1.25 };
const foresight = { enabled: true, minDataPoints: 5, lookbackHours: 24, projectionHours: 6, scalingFactor: 1.5 };
/** The used GB of hourly samples, half a GB more each time. */
const rising = [1, 1.5, 2, 2.5, 3];

/** Creates a set of 10 GB with this policy, and simulates hourly samples of its use; returns its path. */
async function grown(wire: Wire, autoscaling: JsonObject, samples: readonly number[]): Promise<string> {
  const { set } = await mounted(wire, { autoscaling });
  for (const [hour, usedGb] of samples.entries()) {
    if (hour > 0) await wire.advance('1h');
    await use(wire, set, usedGb);
  }
  await wire.advance('1m');
  return set;
}

/** A part that demands the size in GB to which a volume of 10 GB then grows. */
function growth(words: string, autoscaling: JsonObject, samples: readonly number[], size: number): Part {
  return ownPart(words, {}, async (wire) => {
    expect(await sizeOf(wire, await grown(wire, autoscaling, samples))).toBe(size);
  });
}

/** The laws of growth (platform/volumeset.growth). Half of the volume must be free, so that sizes are whole numbers. */
// biome-ignore format: a row is a case
export const growthRows: readonly Row[] = [
  parted(
    'volumeset/reactive growth',
    'if less than minFreePercentage is free, the volume grows to used / (1 - minFree) * factor',
    growth('8 of 10 GB used grow to 8 / 0.5 * 1.25 = 20 GB', policy, [8], 20),
    growth('the cap is maxCapacity: 18 GB instead of 20', { ...policy, maxCapacity: 18 }, [8], 18),
    growth('no growth at exactly minFreePercentage', policy, [5], 10),
    ownPart('the growth is an expandVolume command of the platform', {}, async (wire) => {
      const set = await grown(wire, policy, [8]);
      const commands = itemsAt(await wire.get(`${set}/-command`), 'items');
      expect(commands).toMatchObject([
        { type: 'expandVolume', lifecycleStage: 'completed', spec: { volumeIndex: 0, newStorageCapacity: 20 } },
      ]);
    }),
  ),
  parted(
    'volumeset/predictive growth',
    'usage is fitted over the look-back and projected; the larger target wins',
    // 3 GB plus 0.5 GB an hour is 6 GB in six hours, and 6 / 0.5 * 1.5 = 18.
    growth('0.5 GB an hour need 18 GB, although enough is free', { ...policy, predictive: foresight }, rising, 18),
    growth('the cap is maxCapacity here too', { ...policy, maxCapacity: 15, predictive: foresight }, rising, 15),
    growth('no growth below minGrowthRateGBPerHour',
      { ...policy, predictive: { ...foresight, minGrowthRateGBPerHour: 0.6 } }, rising, 10),
    growth('no growth with too few data points', { ...policy, predictive: { ...foresight, minDataPoints: 20 } }, rising,
      10),
    growth('no growth by points before lookbackHours', { ...policy, predictive: { ...foresight, lookbackHours: 2 } },
      rising, 10),
    growth('no growth by prediction unless enabled', { ...policy, predictive: { ...foresight, enabled: false } },
      rising, 10),
    growth(
      'the factor of autoscaling applies if predictive has none: 1 GB an hour from 4 GB need 10 / 0.5 * 1.25 = 25',
      { ...policy, predictive: { enabled: true, minDataPoints: 4, projectionHours: 6 } }, [1, 2, 3, 4], 25),
    // Fitted 1.2 GB an hour: 6.8 GB in an hour, which asks for 6.8 / 0.5 * 1.1 = 14.96; the use of now for 6 / 0.5 * 2
    // = 24.
    growth('the larger of both targets wins, here the reactive one',
      { ...policy, scalingFactor: 2,
        predictive: { enabled: true, minDataPoints: 5, projectionHours: 1, scalingFactor: 1.1 } },
      [1, 2, 3, 4, 6], 24),
  ),
  row(
    'volumeset/what predictive growth requires',
    'with predictive enabled, minFreePercentage and scalingFactor are required',
    async (wire) => {
      const collection = `gvc/${await makeGvc(wire)}/volumeset`;
      const least = { fileSystemType: 'ext4', performanceClass: 'general-purpose-ssd', initialCapacity: 10 };
      for (const field of ['minFreePercentage', 'scalingFactor']) {
        const autoscaling = { ...policy, predictive: { enabled: true }, [field]: null };
        const body = { name: wire.name('disk'), spec: { ...least, autoscaling } };
        expect(problemPaths(await wire.refused(400, 'POST', collection, body))).toContain(field);
        const off = { ...least, autoscaling: { ...autoscaling, predictive: { enabled: false } } };
        await wire.ok('POST', collection, { name: wire.name('disk'), spec: off });
      }
    },
  ),
];
