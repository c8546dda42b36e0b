import type { VNode } from 'preact';
import type { PlanDocument } from '../../src/change/documents/planDocument.ts';
import { ResourceName } from './parts/badges.tsx';
import { counted, Text } from './parts/text.tsx';

type StorageUse = NonNullable<PlanDocument['storage']>;

const moments = [
  ['before', 'Now'],
  ['after', 'After this plan'],
  ['ceiling', 'If everything grows as far as it may'],
] as const;

interface Props {
  readonly storage: StorageUse;
  readonly printing: boolean;
}

/** Whether the plan changes the reserved storage. */
export function isConcerned(storage: StorageUse | undefined): storage is StorageUse {
  return storage?.sets.some(({ concerned }) => concerned) === true;
}

/** The reserved storage now, after the plan, and at most, as bars with their cost. */
export function Storage({ storage, printing }: Props): VNode {
  const { currency, atLeast, sets } = storage;
  const most = Math.max(1, ...moments.map(([moment]) => storage[moment].gb));
  return (
    <section class="panel" id="storage" aria-labelledby="storage-title">
      <h2 id="storage-title">Storage</h2>
      <dl class={currency === undefined ? 'bars' : 'bars priced'}>
        {moments.map(([moment, word]) => {
          const { gb, cost } = storage[moment];
          return (
            <div key={moment} class={`bar ${moment}`}>
              <dt>{word}</dt>
              <dd>
                <span class="track" aria-hidden="true">
                  <span class="fill" style={{ width: `${(100 * gb) / most}%` }} />
                </span>
                <span class="amount">
                  {atLeast === true && moment !== 'before' && 'at least '}
                  {amount(gb)} GB
                </span>
                {cost !== undefined && currency !== undefined && (
                  <span class="money">
                    {money(cost)} <Text of={currency} /> a month
                  </span>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
      <details open={printing}>
        <summary>{counted(sets.length, 'volume set')}</summary>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Volume set</th>
                <th scope="col">GB now</th>
                <th scope="col">GB after</th>
                <th scope="col">GB at most</th>
              </tr>
            </thead>
            <tbody>
              {sets.map(({ id, before, after, ceiling }) => (
                <tr key={id}>
                  <th scope="row">
                    <ResourceName id={id} />
                  </th>
                  <td>{amount(before)}</td>
                  <td>{amount(after)}</td>
                  <td>{amount(ceiling)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}

function amount(gb: number): string {
  return gb.toLocaleString('en', { maximumFractionDigits: 2 });
}

function money(cost: number): string {
  return cost.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
