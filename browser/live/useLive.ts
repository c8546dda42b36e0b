import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { type Api, Refused, SignInNeeded } from './api.ts';

export interface Session {
  readonly api: Api;
  /** Called if the token is no longer valid. */
  readonly onSignIn: () => void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('there is no session');
  return session;
}

/** The last value, and a problem since then. */
export interface Live<Value> {
  readonly value?: Value;
  readonly problem?: string;
}

/** Notifies readers of a value that it has changed. */
export class Turn {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  get count(): number {
    return this.#count;
  }

  next(): void {
    this.#count += 1;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Resolves after a change since that count, or when `signal` is aborted. */
  after(count: number, signal: AbortSignal): Promise<void> {
    return untilEnded(signal, (end) => {
      if (this.#count !== count || signal.aborted) end();
      else this.#waiting.add(end);
    });
  }
}

export interface Reading<Value> {
  /** Identifies the value; another key starts again. */
  readonly key: string;
  readonly load: (signal: AbortSignal) => Promise<Value>;
  readonly onSignIn: () => void;
  /** When to read again. If absent, reads continuously. */
  readonly turn?: Turn;
}

/** The pause between two reads; longer after a slow read, so that a page never keeps a server busy. */
const pauseMs = 2_000;
const restPerWork = 4;

/** A value that the console reads from its platform. */
export function useLive<Value>(key: string, load: (api: Api, signal: AbortSignal) => Promise<Value>): Live<Value> {
  const { api, onSignIn } = useSession();
  return useReading({ key, load: (signal) => load(api, signal), onSignIn });
}

/** Reads while the page is visible, on each notification or continuously. */
export function useReading<Value>({ key, load, onSignIn, turn }: Reading<Value>): Live<Value> {
  const [live, setLive] = useState<Live<Value> & { readonly of: string }>({ of: key });
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    setLive({ of: key });
    async function lookOn(): Promise<void> {
      while (!signal.aborted) {
        const beganMs = performance.now();
        const count = turn?.count ?? 0;
        let failed = false;
        try {
          const value = await load(signal);
          if (!signal.aborted) setLive({ of: key, value });
        } catch (error) {
          if (signal.aborted) return;
          if (error instanceof SignInNeeded) return onSignIn();
          failed = true;
          setLive((before) => ({ ...before, problem: said(error) }));
        }
        if (turn === undefined || failed) {
          await rest(Math.max(pauseMs, restPerWork * (performance.now() - beganMs)), signal);
        } else await turn.after(count, signal);
      }
    }
    void lookOn();
    return () => ended.abort();
  }, [key, onSignIn]);
  return live.of === key ? live : {};
}

function said(error: unknown): string {
  if (error instanceof Refused) return error.message;
  return 'The server cannot be reached. The page tries again.';
}

/** Resolves after this time in which the page is visible, or when `signal` is aborted. */
function rest(ms: number, signal: AbortSignal): Promise<void> {
  return untilEnded(signal, (end) => {
    setTimeout(() => {
      if (document.hidden) document.addEventListener('visibilitychange', end, { once: true, signal });
      else end();
    }, ms);
  });
}

/** A page is open for days, and waits thousands of times, so the signal keeps no listeners of completed waits. */
function untilEnded(signal: AbortSignal, wait: (end: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end);
    wait(end);
  });
}
