import type { VNode } from 'preact';
import { type JsonObject, numberAt, objectAt, stringAt } from '../../src/base/json/json.ts';
import { runs, storesData } from '../../src/kinds/kindFacts.ts';
import { gvcScopedKinds, isContainer } from '../../src/schema/record/kinds.ts';
import { Shown, When } from '../live/shown.tsx';
import { type Live, useLive } from '../live/useLive.ts';
import { ResourceName } from '../report/parts/badges.tsx';
import { LongText, Text } from '../report/parts/text.tsx';
import { addressOf, idOf, type Place } from './address.ts';
import { Deployments, Runs } from './deployments.tsx';
import { healthOf } from './health.ts';
import { manyOf } from './list.tsx';
import { HealthBadge, Rows } from './rows.tsx';
import type { SideProps } from './sideProps.ts';
import { Versions } from './versions.tsx';
import { Volumes } from './volumes.tsx';

interface Side {
  readonly view: string;
  readonly word: string;
  /** Absent if every record has this view. */
  readonly of?: (record: JsonObject) => boolean;
  readonly show: (props: SideProps) => VNode;
}

const isCron = (record: JsonObject): boolean => stringAt(objectAt(record, 'spec'), 'type') === 'cron';

/** The views of a record; the first one is the default. */
const sides: readonly Side[] = [
  {
    view: 'content',
    word: 'What is in it',
    of: ({ kind }) => isContainer(kind),
    show: (props) => <Content {...props} />,
  },
  {
    view: 'deployments',
    word: 'Deployments',
    of: ({ kind }) => runs(kind),
    show: (props) => <Deployments {...props} />,
  },
  {
    view: 'runs',
    word: 'Runs',
    of: (record) => runs(record['kind']) && isCron(record),
    show: (props) => <Runs {...props} />,
  },
  {
    view: 'volumes',
    word: 'Volumes',
    of: ({ kind }) => storesData(kind),
    show: (props) => <Volumes {...props} />,
  },
  { view: 'record', word: 'Record', show: ({ record }) => <JsonBody body={record} printing={false} /> },
  { view: 'versions', word: 'Versions', show: (props) => <Versions {...props} /> },
  { view: 'events', word: 'Events', show: (props) => <Events {...props} /> },
];

/** One record in one of its views. */
export function RecordView({ place }: { readonly place: Place }): VNode {
  const { link } = place;
  const live: Live<JsonObject> = useLive(link, (api, signal) => api.get(link, signal));
  return (
    <Shown of={live}>
      {(record) => {
        const has = sides.filter(({ of: isOf = () => true }) => isOf(record));
        const description = stringAt(record, 'description') ?? '';
        const side = has.find(({ view }) => view === place.view) ?? has[0];
        return (
          <>
            <div class="record-head">
              <h1>
                <ResourceName id={idOf(link)} />
              </h1>
              <HealthBadge of={healthOf(record)} />
              {description !== stringAt(record, 'name') && (
                <p>
                  <Text of={description} />
                </p>
              )}
              <p class="hint">
                Version {numberAt(record, 'version') ?? '?'}, created <When at={stringAt(record, 'created')} />, changed{' '}
                <When at={stringAt(record, 'lastModified')} />
              </p>
            </div>
            <nav class="sides" aria-label="Sides of the record">
              {has.map(({ view, word }) => (
                <a key={view} href={addressOf(link, view)} aria-current={view === side?.view ? 'page' : undefined}>
                  {word}
                </a>
              ))}
            </nav>
            <section class="panel" aria-label={side?.word}>
              {side?.show({ place, record })}
            </section>
          </>
        );
      }}
    </Shown>
  );
}

/** The records of a GVC. */
function Content({ place: { link } }: SideProps): VNode {
  const live = useLive(`${link} content`, (api, signal) =>
    Promise.all(gvcScopedKinds.map(async (kind) => ({ kind, ...(await api.list(`${link}/${kind}`, signal)) }))),
  );
  return (
    <Shown of={live}>
      {(lists) =>
        lists
          .toSorted((a, b) => b.items.length - a.items.length)
          .map(({ kind, items, more }) => (
            <div class="part" key={kind}>
              <h2>{manyOf(kind)}</h2>
              <Rows of={items} more={more} />
            </div>
          ))
      }
    </Shown>
  );
}

/** The body of a request. It is wrapped instead of scrolled, so that it needs no keyboard focus. */
function JsonBody({ body, printing }: { readonly body: JsonObject; readonly printing: boolean }): VNode {
  return (
    <pre class="json">
      <code>
        <LongText of={JSON.stringify(body, null, 2)} printing={printing} />
      </code>
    </pre>
  );
}

const mostShown = 100;

/** The events of a record. */
function Events({ place: { link } }: SideProps): VNode {
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
