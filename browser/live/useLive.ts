import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { type Api, Refused, SignInNeeded } from './api.ts';

export interface Session {
  readonly api: Api;
  /** The token does not work any more. */
  readonly onSignIn: () => void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('there is no session');
  return session;
}

/** What was read last, and what went wrong since. */
export interface Live<Value> {
  readonly value?: Value;
  readonly problem?: string;
}

type Load<Value> = (api: Api, signal: AbortSignal) => Promise<Value>;

/** The pause between two looks; longer where a look takes long, so that a page never keeps a server busy. */
const pauseMs = 2_000;
const restPerWork = 4;

/** Reads again and again while the page is seen. `key`: what it is about; another one begins anew. */
export function useLive<Value>(key: string, load: Load<Value>): Live<Value> {
  const { api, onSignIn } = useSession();
  const [live, setLive] = useState<Live<Value> & { readonly of: string }>({ of: key });
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    setLive({ of: key });
    async function look(): Promise<void> {
      const beganMs = performance.now();
      try {
        const value = await load(api, signal);
        if (!signal.aborted) setLive({ of: key, value });
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof SignInNeeded) return onSignIn();
        setLive((before) => ({ ...before, problem: said(error) }));
      }
      const restMs = Math.max(pauseMs, restPerWork * (performance.now() - beganMs));
      await rest(restMs, signal);
      if (!signal.aborted) await look();
    }
    void look();
    return () => ended.abort();
  }, [key, api]);
  return live.of === key ? live : {};
}

function said(error: unknown): string {
  if (error instanceof Refused) return error.message;
  return 'The server cannot be reached. The page tries again.';
}

/** Ends after a time in which the page is seen, or when nobody wants it any more. */
function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    setTimeout(() => {
      if (!document.hidden) return resolve();
      document.addEventListener('visibilitychange', () => resolve(), { once: true, signal });
    }, ms);
  });
}
