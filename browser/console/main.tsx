import { render, type VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { type JsonObject, stringAt } from '../../src/base/json/json.ts';
import { Api } from '../live/api.ts';
import { useEntry, useHash } from '../live/entry.ts';
import { Shown, When } from '../live/shown.tsx';
import { SignIn } from '../live/signIn.tsx';
import { SessionContext, useLive } from '../live/useLive.ts';
import { ResourceName } from '../report/parts/badges.tsx';
import { Choice } from '../report/parts/choice.tsx';
import { Frame } from '../report/parts/frame.tsx';
import { seen, Text } from '../report/parts/text.tsx';
import { addressOf, idOf, type Place, placeOf } from './address.ts';
import { ListView } from './list.tsx';
import { OrgView } from './org.tsx';
import { RecordView } from './record.tsx';
import { RecordLink } from './rows.tsx';
import { type Written, writtenOf } from './versions.tsx';

const root = document.querySelector('#page');

const mostShown = 100;

if (root !== null) {
  render(<Console />, root);
  root.removeAttribute('aria-busy');
}

interface Inside {
  readonly user: string;
  readonly orgs: readonly string[];
}

/** The platform in a browser; read-only. */
function Console(): VNode {
  const { token, entry, onSignIn, signIn } = useEntry(enter);
  const place = placeOf(useHash());
  const session = useMemo(() => ({ api: new Api(token), onSignIn }), [token]);
  const inside = entry.is === 'in' ? entry.inside : undefined;
  const org = place.org === '' ? (inside?.orgs[0] ?? '') : place.org;
  const shown = place.link === '' ? placeOf(`/org/${encodeURIComponent(org)}`) : place;
  useEffect(() => {
    document.title = `${seen(shown.name || shown.kind || 'Console')} – Console`;
  }, [shown.link]);
  return (
    <Frame
      title="gantry console"
      beside={
        <>
          {inside !== undefined && <Menu place={shown} orgs={inside.orgs} />}
          {inside !== undefined && (
            <p class="who">
              <Text of={inside.user} />
              {token !== '' && (
                <button type="button" class="quiet" onClick={() => signIn('')}>
                  Sign out
                </button>
              )}
            </p>
          )}
        </>
      }
      foot="This page reads from its own server and writes nothing."
    >
      <SessionContext.Provider value={session}>
        {entry.is === 'asking' && <p class="hint">Loading …</p>}
        {entry.is === 'out' && (
          <SignIn
            problem={entry.problem}
            about="The token of the server, of a service account, or of a person. It is kept in this tab and sent to this server only."
            onToken={signIn}
          />
        )}
        {inside !== undefined && shown.link !== '' && <View key={shown.link} place={shown} />}
      </SessionContext.Provider>
    </Frame>
  );
}

/** Identifies the user and reads what they may view. Errors: those of `Api.get`. */
async function enter(token: string): Promise<Inside> {
  const api = new Api(token);
  const user = await api.get('/user');
  const { items } = await api.list('/org', new AbortController().signal);
  return { user: stringAt(user, 'name') ?? '', orgs: items.map(nameOf) };
}

function nameOf(record: JsonObject): string {
  return stringAt(record, 'name') ?? '';
}

function Menu({ place, orgs }: { readonly place: Place; readonly orgs: readonly string[] }): VNode {
  const home = `/org/${encodeURIComponent(place.org)}`;
  const isHome = place.what === 'org' && place.view === '';
  return (
    <nav class="menu" aria-label="Console">
      {orgs.length > 1 && (
        <Choice
          word="Org"
          name="org"
          value={place.org}
          options={orgs.map((org) => [org, seen(org)])}
          onChoose={(org) => {
            location.hash = addressOf(`/org/${encodeURIComponent(org)}`);
          }}
        />
      )}
      <a href={addressOf(home)} aria-current={isHome ? 'page' : undefined}>
        {place.org === '' ? 'Overview' : <Text of={place.org} />}
      </a>
      <a href={addressOf(home, 'trail')} aria-current={place.view === 'trail' ? 'page' : undefined}>
        Audit trail
      </a>
    </nav>
  );
}

function View({ place }: { readonly place: Place }): VNode {
  switch (place.what) {
    case 'org':
      return place.view === 'trail' ? <Trail org={place.org} /> : <OrgView place={place} />;
    case 'list':
      return <ListView place={place} />;
    case 'record':
      return <RecordView place={place} />;
  }
}

/** The last writes in the org, with their writers. */
function Trail({ org }: { readonly org: string }): VNode {
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

/** Events of the audit trail, one per row. */
function TrailRows({ of: events }: { readonly of: readonly Written[] }): VNode {
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
