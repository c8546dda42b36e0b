import type { VNode } from 'preact';
import { isObject, type JsonObject, listAt, numberAt, objectAt, stringAt } from '../../src/base/json/json.ts';
import { Plot, type Series } from '../live/plot.tsx';
import { Shown, When } from '../live/shown.tsx';
import { useLive } from '../live/useLive.ts';
import { toneClass } from '../report/parts/badges.tsx';
import { counted, Text } from '../report/parts/text.tsx';
import { toneOfFullness, type VolumeNow, volumesOf } from './health.ts';
import type { SideProps } from './sideProps.ts';

/** The volumes of a set: their usage, its history, and the causes of their growth. */
export function Volumes({ place: { link }, record }: SideProps): VNode {
  const live = useLive(`${link} volumes`, async (api, signal) => {
    const [usage, commands] = await Promise.all([
      api.get(`${link}/-usage`, signal),
      api.list(`${link}/-command`, signal, mostCommands),
    ]);
    return { series: listAt(usage, 'volumes').filter(isObject), commands: commands.items };
  });
  const volumes = volumesOf(record);
  return (
    <>
      {volumes.length === 0 && <p class="hint">There are none: no workload mounts it.</p>}
      <Shown of={live}>
        {({ series, commands }) => (
          <>
            {volumes.map((volume) => (
              <VolumeView
                key={`${volume.location} ${volume.index}`}
                volume={volume}
                series={series.find(
                  (each) => each['location'] === volume.location && each['volumeIndex'] === volume.index,
                )}
              />
            ))}
            <Commands of={commands} />
          </>
        )}
      </Shown>
    </>
  );
}

const mostCommands = 50;

interface VolumeProps {
  readonly volume: VolumeNow;
  readonly series: JsonObject | undefined;
}

function VolumeView({ volume, series }: VolumeProps): VNode {
  const { location, index, lifecycle, sizeGb, usedGb, snapshots } = volume;
  const share = sizeGb > 0 ? usedGb / sizeGb : 0;
  const lines: readonly Series[] = [
    { word: 'used', tone: 'first', points: pointsOf(series, 'usage', 'usedGb') },
    { word: 'size', tone: 'second', stepped: true, points: pointsOf(series, 'sizes', 'sizeGb') },
  ];
  return (
    <div class="part">
      <h2>
        Volume {index} in <Text of={location} />
      </h2>
      <p>
        {amount(usedGb)} of {amount(sizeGb)} GB used ({Math.round(100 * share)} %), <Text of={lifecycle} />,{' '}
        {counted(snapshots, 'snapshot')}
      </p>
      <span class={`track ${toneClass[toneOfFullness(share)]}`} aria-hidden="true">
        <span class="fill" style={{ width: `${Math.min(100, 100 * share)}%` }} />
      </span>
      {series !== undefined && <Plot title="Last week" unit="GB" series={lines} />}
    </div>
  );
}

function pointsOf(series: JsonObject | undefined, list: string, field: string): Series['points'] {
  return listAt(series ?? {}, list)
    .filter(isObject)
    .map((point) => [Date.parse(stringAt(point, 'at') ?? ''), numberAt(point, field) ?? 0]);
}

function amount(gb: number): string {
  return gb.toLocaleString('en', { maximumFractionDigits: 2 });
}

/** The commands on the volumes, from users and from the policy of the set. */
function Commands({ of: commands }: { readonly of: readonly JsonObject[] }): VNode | null {
  if (commands.length === 0) return null;
  return (
    <>
      <h2>Commands</h2>
      <ul class="rows">
        {commands.map((command) => {
          const spec = objectAt(command, 'spec');
          const size = numberAt(spec, 'newStorageCapacity');
          const law = stringAt(objectAt(command, 'status'), 'law');
          return (
            <li key={stringAt(command, 'id')}>
              <When at={stringAt(command, 'created')} />
              <strong>
                <Text of={stringAt(command, 'type') ?? ''} />
              </strong>
              <span class="tag plain">
                <Text of={stringAt(command, 'lifecycleStage') ?? ''} />
              </span>
              <span class="brief">
                <Text of={stringAt(spec, 'location') ?? ''} />
                {size !== undefined && ` to ${amount(size)} GB`}
                {law !== undefined && (
                  <>
                    {' '}
                    by the law <Text of={law} />
                  </>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
