import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { PagePlan } from '../../../src/report/pageData.ts';
import { OpenAll, type Openness } from '../parts/openAll.tsx';
import { seen } from '../parts/text.tsx';
import { Nodes } from '../parts/tree.tsx';
import { PictureView } from '../picture/picture.tsx';
import { Changes, type Target } from './changes.tsx';
import { type Filter, isOpen, noFilter, type Order, ordered, passes } from './filter.ts';
import { Filters } from './filters.tsx';
import { Refusals } from './refusals.tsx';
import { isConcerned, Storage } from './storage.tsx';
import { Summary } from './summary.tsx';
import { Timeline } from './timeline.tsx';

interface Props {
  readonly plan: PagePlan;
  readonly printing: boolean;
  /** There are several, so each has its name. */
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
