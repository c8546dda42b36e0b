import type { VNode } from 'preact';
import { Shown } from '../live/shown.tsx';
import { useLive } from '../live/useLive.ts';
import { When } from '../live/when.tsx';
import { ResourceName } from '../report/parts/badges.tsx';
import { Text } from '../report/parts/text.tsx';
import { idOf } from './address.ts';
import { RecordLink } from './rows.tsx';
import { type Written, writtenOf } from './versions.ts';

const mostShown = 100;

/** The last writes in the org, and who made them. */
export function Trail({ org }: { readonly org: string }): VNode {
  const path = `/audit/org/${encodeURIComponent(org)}`;
  const live = useLive(path, (api, signal) => api.list(path, signal, mostShown));
  return (
    <section class="panel" aria-labelledby="trail-title">
      <h1 id="trail-title">Audit trail</h1>
      <Shown of={live}>
        {({ items, more }) => (
          <>
            <TrailRows of={items.map(writtenOf)} />
            {more && <p class="hint">These are the last {mostShown}.</p>}
          </>
        )}
      </Shown>
    </section>
  );
}

/** Events of the audit trail, one a row. */
export function TrailRows({ of: events }: { readonly of: readonly Written[] }): VNode {
  return (
    <ul class="rows">
      {events.map(({ id, at, action, command, who, from, kind, name, link, result, message }) => (
        <li key={id}>
          <When at={at} />
          <span class={result === 'OK' ? 'tag plain' : 'tag bad'}>
            {result === 'OK' ? action : `${action} refused`}
          </span>
          {link === undefined ? (
            <ResourceName id={`${kind}/${name}`} />
          ) : (
            <RecordLink to={link}>
              <ResourceName id={idOf(link)} />
            </RecordLink>
          )}
          {command !== undefined && <Text of={command} />}
          <span class="brief">
            by <Text of={who} />
            {from !== '' && (
              <>
                {' '}
                from <Text of={from} />
              </>
            )}
          </span>
          {result !== 'OK' && (
            <span class="hint">
              <Text of={`${result}: ${message}`} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
