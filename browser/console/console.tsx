import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type JsonObject, stringAt } from '../../src/base/json/json.ts';
import { Api, SignInNeeded } from '../live/api.ts';
import { SignIn } from '../live/signIn.tsx';
import { SessionContext } from '../live/useLive.ts';
import { Frame } from '../report/parts/frame.tsx';
import { seen, Text } from '../report/parts/text.tsx';
import { addressOf, type Place, placeOf } from './address.ts';
import { ListView } from './list.tsx';
import { OrgView } from './org.tsx';
import { RecordView } from './record.tsx';
import { Trail } from './trail.tsx';

/** The tab's own memory: gone when it is closed. */
const kept = 'gantry.token';

type Entry =
  | { readonly is: 'asking' }
  | { readonly is: 'out'; readonly problem?: string }
  | { readonly is: 'in'; readonly user: string; readonly orgs: readonly string[] };

/** The platform in a browser: everything is read, nothing is written. */
export function Console(): VNode {
  const [token, setToken] = useState(() => sessionStorage.getItem(kept) ?? '');
  const [entry, setEntry] = useState<Entry>({ is: 'asking' });
  const place = usePlace();
  const api = useMemo(() => new Api(token), [token]);
  const session = useMemo(() => ({ api, onSignIn: () => leave('The token is not valid any more.') }), [api]);
  function leave(problem?: string): void {
    sessionStorage.removeItem(kept);
    setEntry(problem === undefined ? { is: 'out' } : { is: 'out', problem });
  }
  useEffect(() => {
    let current = true;
    enter(api).then(
      (found) => {
        if (!current) return;
        if (token !== '') sessionStorage.setItem(kept, token);
        setEntry(found);
      },
      (error: unknown) => {
        if (!current) return;
        if (!(error instanceof SignInNeeded)) return setEntry({ is: 'out', problem: String(error) });
        leave(token === '' ? undefined : 'This token is not valid here.');
      },
    );
    return () => {
      current = false;
    };
  }, [api]);
  const org = place.org === '' && entry.is === 'in' ? (entry.orgs[0] ?? '') : place.org;
  const shown = place.link === '' ? placeOf(`/org/${encodeURIComponent(org)}`) : place;
  useEffect(() => {
    document.title = `${seen(shown.name || shown.kind || 'Console')} – Console`;
  }, [shown.link]);
  return (
    <Frame
      title="gantry console"
      beside={
        <>
          {entry.is === 'in' && <Menu place={shown} orgs={entry.orgs} />}
          {entry.is === 'in' && (
            <p class="who">
              <Text of={entry.user} />
              {token !== '' && (
                <button type="button" class="quiet" onClick={() => setToken('')}>
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
            onToken={(given) =>
              given === token ? setEntry({ is: 'out', problem: 'This token is not valid here.' }) : setToken(given)
            }
          />
        )}
        {entry.is === 'in' && shown.link !== '' && <View key={shown.link} place={shown} />}
      </SessionContext.Provider>
    </Frame>
  );
}

/** Who is it, and what may be seen? Errors: as `Api.get`. */
async function enter(api: Api): Promise<Entry> {
  const user = await api.get('/user');
  const { items } = await api.list('/org', new AbortController().signal);
  return { is: 'in', user: stringAt(user, 'name') ?? '', orgs: items.map(nameOf) };
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
        <label class="choice">
          <span>Org</span>
          <select
            name="org"
            value={place.org}
            onChange={({ currentTarget: { value } }) => {
              location.hash = addressOf(`/org/${encodeURIComponent(value)}`);
            }}
          >
            {orgs.map((org) => (
              <option key={org} value={org}>
                {seen(org)}
              </option>
            ))}
          </select>
        </label>
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

function usePlace(): Place {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onMove = (): void => {
      // A place within what is shown, such as its content.
      if (location.hash !== '' && !location.hash.startsWith('#/')) {
        history.replaceState(null, '', hash === '' ? location.pathname : hash);
        return;
      }
      setHash(location.hash);
      scrollTo(0, 0);
    };
    addEventListener('hashchange', onMove);
    return () => removeEventListener('hashchange', onMove);
  }, [hash]);
  return placeOf(hash);
}
