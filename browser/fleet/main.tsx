import { render, type VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Me } from '../../src/reconcile/http/pageAnswers.ts';
import type { StackSummary } from '../../src/reconcile/model.ts';
import { SignInNeeded } from '../live/api.ts';
import { useEntry, useHash } from '../live/entry.ts';
import { Shown, When } from '../live/shown.tsx';
import { SignIn } from '../live/signIn.tsx';
import { Turn, useReading } from '../live/useLive.ts';
import { Code } from '../report/parts/badges.tsx';
import { Frame } from '../report/parts/frame.tsx';
import { Text } from '../report/parts/text.tsx';
import { PlanView } from '../report/plan.tsx';
import { Service } from './service.ts';
import { StackView } from './stack.tsx';
import { Stacks } from './stacks.tsx';
import { timeOf } from './words.ts';

const root = document.querySelector<HTMLElement>('#page');

/** The delays before retries, which increase with the failures. */
const retryMs = [500, 1_000, 2_000, 5_000] as const;

if (root !== null) {
  render(<Fleet issuer={root.dataset['signIn']} />, root);
  root.removeAttribute('aria-busy');
}

interface FleetProps {
  /** Where users sign in. */
  readonly issuer: string | undefined;
}

/** The stacks of a reconciler. */
function Fleet({ issuer }: FleetProps): VNode {
  const hash = useHash();
  const { token, entry, onSignIn, signIn, askAgain } = useEntry<Me>((given) =>
    new Service(given).me(new AbortController().signal),
  );
  const service = useMemo(() => new Service(token), [token]);
  const me = entry.is === 'in' ? entry.inside : undefined;
  async function signOut(): Promise<void> {
    try {
      const { at } = me?.hasSession === true ? await service.signOut() : {};
      if (at !== undefined) return location.assign(at);
      signIn('');
    } catch {
      askAgain('The server cannot be reached: you may still be signed in.');
    }
  }
  return (
    <Frame
      title="gantry reconcile"
      beside={
        <>
          <nav class="menu" aria-label="Pages">
            <a href="#/">All stacks</a>
          </nav>
          {me !== undefined && (
            <p class="who">
              {me.name === undefined ? 'Not signed in' : <Text of={`${me.name} (${me.role})`} />}
              <button type="button" class="quiet" onClick={() => (me.name === undefined ? askAgain() : void signOut())}>
                {me.name === undefined ? 'Sign in' : 'Sign out'}
              </button>
            </p>
          )}
        </>
      }
      foot="This page is served by a worker of gantry reconcile and makes no other network requests."
    >
      {entry.is === 'asking' && <p class="hint">Loading …</p>}
      {entry.is === 'out' && (
        <SignIn
          problem={entry.problem}
          elsewhere={issuer === undefined ? undefined : { href: signInAddress(hash), name: issuer }}
          about="A token of the worker's file of tokens. It is kept in this tab and sent to this server only."
          onToken={signIn}
        />
      )}
      {me !== undefined && <Inside key={token} {...{ service, me, onSignIn, hash }} />}
    </Frame>
  );
}

interface InsideProps {
  readonly service: Service;
  readonly me: Me;
  readonly onSignIn: () => void;
  readonly hash: string;
}

function Inside({ service, me, onSignIn, hash }: InsideProps): VNode {
  const { stacks, problem, turnOf } = useFollowed(service, onSignIn);
  const [area, name = ''] = partsOf(hash);
  return (
    <>
      {problem !== undefined && (
        <p class="callout warn" role="status">
          {problem}
        </p>
      )}
      {area === 'stack' ? (
        <StackView key={name} {...{ service, me, onSignIn, name }} turn={turnOf(name)} />
      ) : area === 'run' ? (
        <RunView key={name} {...{ service, onSignIn }} id={name} />
      ) : (
        <Stacks {...{ service, onSignIn, stacks }} />
      )}
    </>
  );
}

/** Includes the current location, to return to it. */
function signInAddress(hash: string): string {
  return `/-sign-in?to=${encodeURIComponent(hash)}`;
}

/** All stacks, updated by the worker's events; after a lost connection they are read again. */
function useFollowed(service: Service, onSignIn: () => void) {
  const [stacks, setStacks] = useState<ReadonlyMap<string, StackSummary>>();
  const [problem, setProblem] = useState<string>();
  const turns = useMemo(() => new Map<string, Turn>(), [service]);
  const turnOf = (stack: string): Turn => {
    const turn = turns.get(stack) ?? new Turn();
    turns.set(stack, turn);
    return turn;
  };
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    async function readAll(): Promise<void> {
      const all = await service.stacks(signal);
      setStacks(new Map(all.map((one) => [one.entry.name, one])));
      setProblem(undefined);
      for (const turn of turns.values()) turn.next();
    }
    async function follow(): Promise<void> {
      for (let failures = 0; !signal.aborted; failures += 1) {
        // Ended if the list cannot be read, because a browser opens few connections to a server.
        const connection = new AbortController();
        try {
          // Started before the list is read, so that no change is missed.
          const following = service.follow(
            (told) => {
              if ('all' in told) return void readAll().catch(() => connection.abort());
              setStacks((before) => {
                const after = new Map(before);
                if (told.summary === null) after.delete(told.stack);
                else after.set(told.stack, told.summary);
                return after;
              });
              turns.get(told.stack)?.next();
            },
            AbortSignal.any([signal, connection.signal]),
          );
          await Promise.race([following, readAll()]);
          failures = 0;
          await following;
        } catch (error) {
          if (signal.aborted) return;
          if (error instanceof SignInNeeded) return onSignIn();
        } finally {
          connection.abort();
        }
        if (signal.aborted) return;
        setProblem('The connection is lost: what is shown may be old. The page tries again.');
        await new Promise((resolve) => setTimeout(resolve, retryMs[Math.min(failures, retryMs.length - 1)]));
      }
    }
    void follow();
    return () => ended.abort();
  }, [service]);
  return { stacks, problem, turnOf };
}

/** The parts of the address after `#/`; empty if it is not an address of this page. */
function partsOf(hash: string): readonly string[] {
  try {
    return hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
}

interface Props {
  readonly service: Service;
  readonly onSignIn: () => void;
  readonly id: string;
}

/** One run: its outcome, its log, and its plan or result. */
function RunView({ service, onSignIn, id }: Props): VNode {
  const turn = useMemo(() => new Turn(), []);
  const live = useReading({ key: `run ${id}`, load: (signal) => service.run(id, signal), onSignIn, turn });
  return (
    <Shown of={live}>
      {({ run, shown }) => (
        <>
          <h1>
            Run of <a href={`#/stack/${encodeURIComponent(run.stack)}`}>{run.stack}</a>: {run.outcome ?? 'running'}
          </h1>
          <p class="hint">
            <When at={timeOf(run.startMs)} /> to <When at={timeOf(run.endMs)} />, by <Text of={run.worker} />, fence{' '}
            {run.fence}
          </p>
          {run.error !== undefined && (
            <div class="callout bad">
              <p>
                <Code of={run.error.code} /> <Text of={run.error.message} />
              </p>
              {run.error.hint !== undefined && (
                <p class="hint">
                  <Text of={run.error.hint} />
                </p>
              )}
            </div>
          )}
          <section class="panel" aria-labelledby="log-title">
            <h2 id="log-title">Log</h2>
            <pre>
              {run.log.map(({ atMs, text }, index) => (
                <span key={index} class="line">
                  {new Date(atMs).toISOString().slice(11, 19)} <Text of={text} />
                  {'\n'}
                </span>
              ))}
            </pre>
          </section>
          {shown !== undefined && <PlanView plan={shown} printing={false} titled={false} />}
        </>
      )}
    </Shown>
  );
}
