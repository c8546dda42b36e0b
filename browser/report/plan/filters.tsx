import type { VNode } from 'preact';
import { actionOrder, actionWords } from '../../../src/change/words.ts';
import type { PageChange } from '../../../src/report/pageData.ts';
import { risks } from '../../../src/schema/facts/risk.ts';
import { seen } from '../parts/text.tsx';
import { type Filter, isOpen, noFilter, type Order } from './filter.ts';

interface Props {
  readonly changes: readonly PageChange[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
  /** Of how many changes what is shown is left. */
  readonly shown: number;
}

const orderWords: readonly (readonly [Order, string])[] = [
  ['risk', 'worst risk first'],
  ['apply', 'in the order of the apply'],
  ['name', 'by name'],
];

/** The part of the plan that is shown, in the list and in the picture. */
export function Filters({ changes, filter, onFilter, order, onOrder, shown }: Props): VNode {
  const counts = Map.groupBy(changes, ({ action }) => action);
  const kinds = [...new Set(changes.map(({ kind }) => kind))].sort();
  const gvcs = [...new Set(changes.flatMap(({ gvc }) => gvc ?? []))].sort();
  const found = risks.filter((risk) => changes.some((change) => change.risk === risk));
  const set = (part: Partial<Filter>): void => onFilter({ ...filter, ...part });
  return (
    <search class="no-print">
      <form class="filters" aria-label="Filter the changes" onSubmit={(event) => event.preventDefault()}>
        <input
          type="search"
          placeholder="Search names, fields, values"
          aria-label="Search names, fields, values"
          value={filter.text}
          onInput={(event) => set({ text: event.currentTarget.value })}
        />
        <fieldset class="chips">
          <legend class="unseen-label">Actions</legend>
          {actionOrder.flatMap((action) => {
            const count = counts.get(action)?.length ?? 0;
            if (count === 0) return [];
            return [
              <label key={action} class={`chip ${action}`}>
                <input
                  type="checkbox"
                  name="action"
                  value={action}
                  checked={filter.actions.has(action)}
                  onChange={() => set({ actions: filter.actions.symmetricDifference(new Set([action])) })}
                />
                <span>
                  <span class="symbol" aria-hidden="true">
                    {actionWords[action].sign}
                  </span>
                  {count.toLocaleString('en')} {actionWords[action].todo}
                </span>
              </label>,
            ];
          })}
        </fieldset>
        <Choice word="Kind" name="kind" value={filter.kind} values={kinds} onChoose={(kind) => set({ kind })} />
        <Choice word="GVC" name="gvc" value={filter.gvc} values={gvcs} onChoose={(gvc) => set({ gvc })} />
        <Choice word="Risk from" name="risk" value={filter.risk} values={found} onChoose={(risk) => set({ risk })} />
        <label class="choice">
          <span>Order</span>
          <select
            name="order"
            value={order}
            onChange={({ currentTarget: { value } }) => {
              const [chosen] = orderWords.find(([each]) => each === value) ?? [];
              if (chosen !== undefined) onOrder(chosen);
            }}
          >
            {orderWords.map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </select>
        </label>
        <output class="shown">
          {shown.toLocaleString('en')} of {changes.length.toLocaleString('en')} shown
        </output>
        {!isOpen(filter) && (
          <button type="button" class="quiet" onClick={() => onFilter(noFilter)}>
            Show all
          </button>
        )}
      </form>
    </search>
  );
}

interface ChoiceProps {
  readonly word: string;
  readonly name: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly onChoose: (value: string) => void;
}

function Choice({ word, name, value, values, onChoose }: ChoiceProps): VNode | null {
  if (values.length < 2) return null;
  return (
    <label class="choice">
      <span>{word}</span>
      <select name={name} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">any</option>
        {values.map((each) => (
          <option key={each} value={each}>
            {seen(each)}
          </option>
        ))}
      </select>
    </label>
  );
}
