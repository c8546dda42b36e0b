import { useEffect, useMemo, useState } from 'preact/hooks';
import { Refused, SignInNeeded } from './api.ts';

/** In the tab's own storage, which is deleted when the tab is closed. */
const kept = 'gantry.token';

export type Entry<Inside> =
  | { readonly is: 'asking' }
  | { readonly is: 'out'; readonly problem?: string }
  | { readonly is: 'in'; readonly inside: Inside };

/**
 * The user of the page. `enter`: the server's answer to a token, which is empty if there is none. The token is stored
 * in this tab when the server has accepted it.
 */
export function useEntry<Inside>(enter: (token: string) => Promise<Inside>) {
  const [attempt, setAttempt] = useState(() => ({ token: sessionStorage.getItem(kept) ?? '' }));
  const [entry, setEntry] = useState<Entry<Inside>>({ is: 'asking' });
  const { token } = attempt;
  const leave = (problem?: string): void => {
    sessionStorage.removeItem(kept);
    setEntry(problem === undefined ? { is: 'out' } : { is: 'out', problem });
  };
  const over = token === '' ? 'You are not signed in any more.' : 'The token is not valid any more.';
  const onSignIn = useMemo(() => () => leave(over), [over]);
  useEffect(() => {
    let current = true;
    enter(token).then(
      (inside) => {
        if (!current) return;
        if (token === '') sessionStorage.removeItem(kept);
        else sessionStorage.setItem(kept, token);
        setEntry({ is: 'in', inside });
      },
      (error: unknown) => {
        if (!current) return;
        if (error instanceof SignInNeeded) return leave(token === '' ? undefined : 'This token is not valid here.');
        setEntry({ is: 'out', problem: error instanceof Refused ? error.message : 'The server cannot be reached.' });
      },
    );
    return () => {
      current = false;
    };
  }, [attempt]);
  return { token, entry, onSignIn, signIn: (given: string) => setAttempt({ token: given }), askAgain: leave };
}

/** The part of the address with the current location: it begins with `#/`, or is empty. */
export function useHash(): string {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onMove = (): void => {
      // A place within the current page, such as its content.
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
  return hash;
}
