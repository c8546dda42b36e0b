import type { VNode } from 'preact';
import { numberAt, objectAt, stringAt } from '../../src/base/json/json.ts';
import { Shown } from '../live/shown.tsx';
import { useLive } from '../live/useLive.ts';
import { When } from '../live/when.tsx';
import { Text } from '../report/parts/text.tsx';
import type { SideProps } from './sideProps.ts';

const mostShown = 100;

/** The events of a record. */
export function Events({ place: { link } }: SideProps): VNode {
  const path = `${link}/-eventlog`;
  const live = useLive(path, (api, signal) => api.list(path, signal, mostShown));
  return (
    <Shown of={live}>
      {({ items, more }) => (
        <>
          <ul class="rows">
            {items.map((event) => {
              const context = objectAt(event, 'context');
              const count = numberAt(event, 'eventCount') ?? 1;
              return (
                <li key={stringAt(event, 'id')}>
                  <When at={stringAt(event, 'lastEventTime')} />
                  <strong>
                    <Text of={stringAt(event, 'status') ?? ''} />
                  </strong>
                  {count > 1 && <span class="tag plain">{count.toLocaleString('en')} times</span>}
                  <span class="brief">
                    <Text
                      of={[stringAt(context, 'message'), stringAt(context, 'location')].filter(Boolean).join(' · ')}
                    />
                  </span>
                  <span class="hint">
                    <Text of={stringAt(context, 'component') ?? ''} />
                  </span>
                </li>
              );
            })}
          </ul>
          {items.length === 0 && <p class="hint">Nothing has happened yet.</p>}
          {more && <p class="hint">These are the last {mostShown}.</p>}
        </>
      )}
    </Shown>
  );
}
