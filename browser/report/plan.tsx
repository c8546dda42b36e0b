import type { ComponentProps, VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { onceForObject } from '../../src/base/once.ts';
import type { PlanDocument } from '../../src/change/documents/planDocument.ts';
import { actionOrder, actionWords, endWords } from '../../src/change/words.ts';
import type { PageChange, PagePlan } from '../../src/report/pageData.ts';
import { risks } from '../../src/schema/facts/risk.ts';
import { Changes, type Target } from './changes.tsx';
import { ResourceLink } from './parts/badges.tsx';
import { Choice } from './parts/choice.tsx';
import { counted, seen } from './parts/text.tsx';
import { Nodes, OpenAll, type Openness, ProblemView } from './parts/tree.tsx';
import { PictureView } from './picture.tsx';
import { isConcerned, Storage } from './storage.tsx';
import { Summary } from './summary.tsx';

interface Props {
  readonly plan: PagePlan;
  readonly printing: boolean;
  /** There are several plans, so each has its name. */
  readonly titled: boolean;
}

export function PlanView({ plan, printing, titled }: Props): VNode {
  const { document, picture, changes, result: told = [] } = plan;
  const { storage, result } = document;
  const [filter, setFilter] = useState<Filter>(noFilter);
  const [order, setOrder] = useState<Order>('risk');
  const [opened, setOpened] = useState<Target>();
  const [pointed, setPointed] = useState<Target>();
  const [all, setAll] = useState<Openness>();
  const onlyKept = changes.every(({ action }) => action === 'keep');
  const shown = useMemo(
    () => ordered(changes, order).filter((change) => passes(change, filter, onlyKept)),
    [changes, order, filter],
  );
  const passing = useMemo(() => (isOpen(filter) ? undefined : new Set(shown.map(({ id }) => id))), [shown]);

  function open(id: string): void {
    const change = changes.find((each) => each.id === id);
    if (change === undefined) return;
    if (!passes(change, filter, onlyKept)) setFilter({ ...noFilter, actions: new Set([change.action]) });
    setOpened({ id });
  }

  return (
    <>
      {titled && <h2 class="stack-title">{seen(document.stack)}</h2>}
      <Refusals refusals={plan.refusals} onOpen={open} />
      <Summary plan={plan} onOpen={open} />
      {picture !== null && (
        <PictureView
          {...{ picture, passing, printing }}
          target={pointed}
          onOpen={open}
          onGroup={({ kind, gvc = '', action }) => {
            setFilter({ ...noFilter, kind, gvc, actions: new Set(action === undefined ? [] : [action]) });
            globalThis.document.querySelector('#changes')?.scrollIntoView();
          }}
        />
      )}
      {picture === null && !onlyKept && (
        <p class="hint">There is no picture of the dependencies: there are more groups of changes than one can show.</p>
      )}
      {isConcerned(storage) && <Storage {...{ storage, printing }} />}
      {result !== undefined && (
        <>
          <section class="panel" aria-labelledby="result-title">
            <h2 id="result-title">Result</h2>
            <Nodes of={told} printing={printing} onOpen={open} />
          </section>
          <Timeline {...{ result, printing }} changes={changes} onOpen={open} />
        </>
      )}
      <section id="changes" aria-labelledby="changes-title">
        <h2 id="changes-title">Changes</h2>
        <Filters {...{ changes, filter, order }} onFilter={setFilter} onOrder={setOrder} shown={shown.length} />
        <OpenAll onAll={setAll} />
        {shown.length === 0 && <p class="empty">Nothing here passes the filter.</p>}
        <Changes
          changes={shown}
          target={opened}
          context={{
            ...{ printing, all },
            onOpen: open,
            onShow: picture === null || picture.grouped ? undefined : (id) => setPointed({ id }),
          }}
        />
      </section>
    </>
  );
}

interface RefusalsProps {
  readonly refusals: PagePlan['refusals'];
  readonly onOpen: (id: string) => void;
}

/** The number of reasons that are listed; the others are at the changes. */
const mostReasons = 50;

/** Why nothing will be written; shown first. */
function Refusals({ refusals: reasons, onOpen }: RefusalsProps): VNode | null {
  if (reasons.length === 0) return null;
  return (
    <section class="panel bad" aria-labelledby="refusals-title">
      <h2 id="refusals-title">Refused for {counted(reasons.length, 'reason')}</h2>
      <ul class="reasons">
        {reasons.slice(0, mostReasons).map(({ problem, id }, index) => (
          <li key={index}>
            {id !== undefined && <ResourceLink {...{ id, onOpen }} />}
            <ProblemView of={problem} />
          </li>
        ))}
      </ul>
      {reasons.length > mostReasons && (
        <p class="hint">{counted(reasons.length - mostReasons, 'more reason')}: each stands at its change below.</p>
      )}
    </section>
  );
}

type Result = NonNullable<PlanDocument['result']>;
type Run = NonNullable<Result['changes']>[number];

interface TimelineProps {
  readonly result: Result;
  readonly changes: readonly PageChange[];
  readonly printing: boolean;
  readonly onOpen: (id: string) => void;
}

/** The number of rows that are shown at first. */
const mostRows = 200;

/** The requests ordered by start, with their durations. */
function Timeline({ result, changes, printing, onOpen }: TimelineProps): VNode {
  const [all, setAll] = useState(false);
  const runs = (result.changes ?? []).toSorted((a, b) => beginOf(a, Infinity) - beginOf(b, Infinity));
  const begin = Math.min(...runs.map((run) => beginOf(run, Infinity)));
  const whole = Math.max(1, ...runs.map((run) => beginOf(run, begin) - begin + (run.elapsedMs ?? 0)));
  const actions = new Map(changes.map(({ id, action }) => [id, action]));
  const rows = all || printing ? runs : runs.slice(0, mostRows);
  return (
    <section class="panel" id="timeline" aria-labelledby="timeline-title">
      <h2 id="timeline-title">Requests and their order</h2>
      <div class="scroll">
        <table class="timeline">
          <thead>
            <tr>
              <th scope="col">Change</th>
              <th scope="col">Outcome</th>
              <th scope="col">Begins</th>
              <th scope="col">Takes</th>
              <th scope="col" class="lane">
                0 to {seconds(whole)}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((run) => {
              const { id, outcome, startedAt, elapsedMs = 0 } = run;
              const action = actions.get(id) ?? 'keep';
              const offset = beginOf(run, begin) - begin;
              return (
                <tr key={id} class={outcome}>
                  <th scope="row">
                    <span class={`symbol ${action}`} aria-hidden="true">
                      {actionWords[action].sign}
                    </span>{' '}
                    <ResourceLink {...{ id, onOpen }} />
                  </th>
                  <td class={`outcome ${outcome}`}>
                    <span aria-hidden="true">{endWords[outcome].sign}</span> {outcome}
                  </td>
                  <td>{startedAt === undefined ? 'never' : `+${seconds(offset)}`}</td>
                  <td>{startedAt === undefined ? '' : seconds(elapsedMs)}</td>
                  <td class="lane" aria-hidden="true">
                    {startedAt !== undefined && (
                      <span
                        class={`run ${action}`}
                        style={{
                          marginInlineStart: `min(100% - 3px, ${(100 * offset) / whole}%)`,
                          width: `max(3px, ${(100 * elapsedMs) / whole}%)`,
                        }}
                      />
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {rows.length < runs.length && (
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          Show all {runs.length.toLocaleString('en')}
        </button>
      )}
    </section>
  );
}

/** In milliseconds; `otherwise` if it was not started. */
function beginOf({ startedAt }: Run, otherwise: number): number {
  return startedAt === undefined ? otherwise : Date.parse(startedAt);
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

interface FiltersProps {
  readonly changes: readonly PageChange[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
  /** The number of changes that pass the filter. */
  readonly shown: number;
}

const orderWords: readonly (readonly [Order, string])[] = [
  ['risk', 'worst risk first'],
  ['apply', 'in the order of the apply'],
  ['name', 'by name'],
];

/** The filter for the list and the picture. */
function Filters({ changes, filter, onFilter, order, onOrder, shown }: FiltersProps): VNode {
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
        <OneOrAny word="Kind" name="kind" value={filter.kind} values={kinds} onChoose={(kind) => set({ kind })} />
        <OneOrAny word="GVC" name="gvc" value={filter.gvc} values={gvcs} onChoose={(gvc) => set({ gvc })} />
        <OneOrAny word="Risk from" name="risk" value={filter.risk} values={found} onChoose={(risk) => set({ risk })} />
        <Choice
          word="Order"
          name="order"
          value={order}
          options={orderWords}
          onChoose={(value) => {
            const [chosen] = orderWords.find(([each]) => each === value) ?? [];
            if (chosen !== undefined) onOrder(chosen);
          }}
        />
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

interface OneOrAnyProps extends Omit<ComponentProps<typeof Choice>, 'options'> {
  readonly values: readonly string[];
}

function OneOrAny({ values, ...choice }: OneOrAnyProps): VNode | null {
  if (values.length < 2) return null;
  return <Choice {...choice} options={[['', 'any'], ...values.map((each) => [each, seen(each)] as const)]} />;
}

interface Filter {
  readonly text: string;
  /** Empty for all except unchanged ones. */
  readonly actions: ReadonlySet<string>;
  /** Empty for all. */
  readonly kind: string;
  readonly gvc: string;
  /** The minimum risk; empty for all. */
  readonly risk: string;
}

const noFilter: Filter = { text: '', actions: new Set(), kind: '', gvc: '', risk: '' };

type Order = 'risk' | 'apply' | 'name';

/** `onlyKept`: all resources are unchanged, so they are shown. */
function passes(change: PageChange, filter: Filter, onlyKept: boolean): boolean {
  const { actions, kind, gvc, risk, text } = filter;
  const hidden = change.action === 'keep' && !change.hasNotes && !onlyKept;
  if (actions.size === 0 ? hidden : !actions.has(change.action)) return false;
  if (kind !== '' && change.kind !== kind) return false;
  if (gvc !== '' && change.gvc !== gvc) return false;
  if (risk !== '' && rankOf(change) < risks.findIndex((each) => each === risk)) return false;
  return text === '' || words(text).every((word) => textOf(change).includes(word));
}

function isOpen({ text, actions, kind, gvc, risk }: Filter): boolean {
  return text === '' && actions.size === 0 && kind === '' && gvc === '' && risk === '';
}

function ordered(changes: readonly PageChange[], order: Order): readonly PageChange[] {
  switch (order) {
    case 'apply':
      return changes;
    case 'name':
      return changes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    case 'risk':
      return changes.toSorted((a, b) => weightOf(b) - weightOf(a));
  }
}

/** Refused changes come before everything else. */
function weightOf(change: PageChange): number {
  if (change.action === 'refuse') return risks.length + rankOf(change) + 1;
  return change.action === 'keep' ? -1 : rankOf(change);
}

function rankOf({ risk = 'none' }: PageChange): number {
  return risks.indexOf(risk);
}

function words(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/** The searchable text of a change. Made only for the first search, because it takes a moment for ten thousand. */
const textOf = onceForObject((change: PageChange): string => JSON.stringify(change).toLowerCase());
