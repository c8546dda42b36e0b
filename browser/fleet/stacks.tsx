import { Fragment, type VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { BoardFigures, StackSummary } from '../../src/reconcile/model.ts';
import { Plot, type Series } from '../live/plot.tsx';
import { Turn, useReading } from '../live/useLive.ts';
import { When } from '../live/when.tsx';
import { RiskBadge, toneClass } from '../report/parts/badges.tsx';
import { Near } from '../report/parts/near.tsx';
import { counted, Text } from '../report/parts/text.tsx';
import type { Service } from './service.ts';
import { type Filter, inOrder, passes, statesByNeed, stateTones, timeOf } from './words.ts';

interface Props {
  readonly service: Service;
  readonly onSignIn: () => void;
  /** Undefined: they are not read yet. */
  readonly stacks: ReadonlyMap<string, StackSummary> | undefined;
}

/** Rows that are made at once when they come near to what is seen. */
const blockSize = 50;

/** All stacks, what needs a look first. */
export function Stacks({ service, onSignIn, stacks }: Props): VNode {
  const [filter, setFilter] = useState<Filter>({ text: '', states: new Set() });
  const all = useMemo(() => inOrder([...(stacks?.values() ?? [])]), [stacks]);
  const shown = useMemo(() => all.filter((stack) => passes(stack, filter)), [all, filter]);
  const counts = Map.groupBy(all, ({ state }) => state.state);
  const blocks = Array.from({ length: Math.ceil(shown.length / blockSize) }, (_, index) =>
    shown.slice(index * blockSize, (index + 1) * blockSize),
  );
  if (stacks === undefined) return <p class="hint">Loading …</p>;
  return (
    <>
      <h1>{counted(all.length, 'stack')}</h1>
      <search>
        <form class="filters" aria-label="Filter the stacks" onSubmit={(event) => event.preventDefault()}>
          <input
            type="search"
            placeholder="Search names, reasons, commits"
            aria-label="Search names, reasons, commits"
            value={filter.text}
            onInput={({ currentTarget: { value } }) => setFilter({ ...filter, text: value })}
          />
          <fieldset class="chips">
            <legend class="unseen-label">States</legend>
            {statesByNeed.map((state) => (
              <label key={state} class={`chip ${toneClass[stateTones[state]]}`}>
                <input
                  type="checkbox"
                  name="state"
                  value={state}
                  checked={filter.states.has(state)}
                  onChange={() => setFilter({ ...filter, states: filter.states.symmetricDifference(new Set([state])) })}
                />
                <span>
                  {(counts.get(state)?.length ?? 0).toLocaleString('en')} {state}
                </span>
              </label>
            ))}
          </fieldset>
          <output class="shown">
            {shown.length.toLocaleString('en')} of {all.length.toLocaleString('en')} shown
          </output>
        </form>
      </search>
      <Figures {...{ service, onSignIn }} />
      <section class="panel" aria-label="Stacks">
        {blocks.map((block, index) => (
          <Near key={block[0]?.entry.name} rows={block.length} made={index === 0}>
            {() => block.map((stack) => <Row key={stack.entry.name} stack={stack} />)}
          </Near>
        ))}
        {shown.length === 0 && <p class="hint">There are none.</p>}
      </section>
    </>
  );
}

function Row({ stack: { entry, state } }: { readonly stack: StackSummary }): VNode {
  const { drifted = 0, worstRisk, because } = state;
  const times = Object.entries({ last: state.lastRunMs, next: state.nextRunMs, until: state.pause?.untilMs });
  return (
    <article class="stack-row" aria-label={entry.name}>
      <StateTag state={state} />
      <a href={`#/stack/${encodeURIComponent(entry.name)}`}>
        <strong>
          <Text of={entry.name} />
        </strong>
      </a>
      <span class="because">
        <RiskBadge risk={worstRisk} /> {drifted > 0 && `${counted(drifted, 'resource')} drifted. `}
        {because !== undefined && <Text of={because} />}
      </span>
      <span class="hint">
        {entry.mode}
        {times.map(
          ([word, ms]) =>
            ms !== undefined && (
              <Fragment key={word}>
                , {word} <When at={timeOf(ms)} />
              </Fragment>
            ),
        )}
      </span>
    </article>
  );
}

export function StateTag({ state }: { readonly state: StackSummary['state'] }): VNode {
  return <span class={`tag ${toneClass[stateTones[state.state]]}`}>{state.state}</span>;
}

const hourMs = 3_600_000;

/** Runs of the last day, by the hour. */
function Figures({ service, onSignIn }: Pick<Props, 'service' | 'onSignIn'>): VNode | null {
  const turn = useMemo(() => new Turn(), []);
  const { value } = useReading({ key: 'figures', load: service.figures, onSignIn, turn });
  if (value === undefined) return null;
  return (
    <details class="panel">
      <summary>
        {counted(value.queued, 'job')} waiting, {value.active.toLocaleString('en')} worked on,{' '}
        {counted(value.requests, 'request')} to platforms so far
      </summary>
      <Plot title="Runs an hour, last day" unit="runs" series={perHour(value)} />
    </details>
  );
}

function perHour({ runs }: BoardFigures): readonly Series[] {
  const first = Math.floor(Math.min(...runs.map(({ endMs }) => endMs)) / hourMs);
  const last = Math.floor(Math.max(...runs.map(({ endMs }) => endMs)) / hourMs);
  const hours = runs.length === 0 ? [] : Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const pointsOf = (some: BoardFigures['runs']): Series['points'] => {
    const counts = Map.groupBy(some, ({ endMs }) => Math.floor(endMs / hourMs));
    return hours.map((hour) => [hour * hourMs, counts.get(hour)?.length ?? 0]);
  };
  return [
    { word: 'all', tone: 'first', stepped: true, points: pointsOf(runs) },
    {
      word: 'failed',
      tone: 'third',
      stepped: true,
      points: pointsOf(runs.filter(({ outcome }) => outcome === 'failed')),
    },
  ];
}
