import { Fragment, type VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { FleetFigures } from '../../src/reconcile/http/pageAnswers.ts';
import type { StackSummary } from '../../src/reconcile/model.ts';
import { Plot, type Series } from '../live/plot.tsx';
import { When } from '../live/shown.tsx';
import { Turn, useReading } from '../live/useLive.ts';
import { RiskBadge, toneClass } from '../report/parts/badges.tsx';
import { Near } from '../report/parts/near.tsx';
import { counted, Text } from '../report/parts/text.tsx';
import type { Service } from './service.ts';
import { type Filter, inOrder, passes, statesByNeed, stateTones, timeOf } from './words.ts';

interface Props {
  readonly service: Service;
  readonly onSignIn: () => void;
  /** Undefined if they have not been read yet. */
  readonly stacks: ReadonlyMap<string, StackSummary> | undefined;
}

/** The number of rows that are rendered together when they come near the viewport. */
const blockSize = 50;

/** All stacks, those that need attention first. */
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
/** They change with every run: reading them each time would load a busy worker further. */
const figuresMs = 30_000;

/** Runs of the last day, by hour, and the outcomes of notifications. */
function Figures({ service, onSignIn }: Pick<Props, 'service' | 'onSignIn'>): VNode | null {
  const turn = useMemo(() => new Turn(), []);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || turn.next(), figuresMs);
    return () => clearInterval(timer);
  }, [turn]);
  const { value } = useReading({ key: 'figures', load: service.figures, onSignIn, turn });
  if (value === undefined) return null;
  const { queued, active, requests, targets } = value;
  return (
    <>
      {targets.map(
        ({ name, failing }) =>
          failing !== undefined && (
            <p key={name} class="callout warn">
              Notifications to <Text of={name} /> are not taken since <When at={timeOf(failing.sinceMs)} />:{' '}
              <Text of={failing.because} />
            </p>
          ),
      )}
      <details class="panel">
        <summary>
          {counted(queued, 'job')} waiting, {active.toLocaleString('en')} worked on, {counted(requests, 'request')} to
          platforms so far
        </summary>
        <Plot title="Runs an hour, last day" unit="runs" series={perHour(value)} />
        {targets.length > 0 && <h2>Notifications</h2>}
        <ul class="rows">
          {targets.map(({ name, delivered, waiting, lost }) => (
            <li key={name}>
              <strong>
                <Text of={name} />
              </strong>
              <span class="hint">
                {delivered.toLocaleString('en')} delivered, {waiting.toLocaleString('en')} waiting,{' '}
                {lost.toLocaleString('en')} lost
              </span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

function perHour({ hours }: FleetFigures): readonly Series[] {
  const [first = 0, last = -1] = [hours.at(0)?.atMs, hours.at(-1)?.atMs];
  const all = Array.from({ length: Math.floor((last - first) / hourMs) + 1 }, (_, index) => first + index * hourMs);
  const seriesOf = (word: string, tone: Series['tone'], isCounted: (outcome: string) => boolean): Series => {
    const counts = Map.groupBy(
      hours.filter(({ outcome }) => isCounted(outcome)),
      ({ atMs }) => atMs,
    );
    const countAt = (atMs: number) => (counts.get(atMs) ?? []).reduce((sum, { runs }) => sum + runs, 0);
    // The last hour is as wide as the others.
    const ends = all.length === 0 ? [] : [[last + hourMs, countAt(last)] as const];
    return { word, tone, stepped: true, points: [...all.map((atMs) => [atMs, countAt(atMs)] as const), ...ends] };
  };
  return [
    seriesOf('all', 'first', () => true),
    seriesOf('applied', 'second', (outcome) => outcome === 'applied'),
    seriesOf('failed', 'third', (outcome) => outcome === 'failed' || outcome === 'partly'),
  ];
}
