import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Me, ShownPlan, StackDetail } from '../../src/reconcile/http/pageAnswers.ts';
import type { RunRecord, StoragePoint } from '../../src/reconcile/model.ts';
import { SignInNeeded } from '../live/api.ts';
import { Plot, type Series } from '../live/plot.tsx';
import { duration, Shown, When } from '../live/shown.tsx';
import { type Turn, useReading } from '../live/useLive.ts';
import { toneClass } from '../report/parts/badges.tsx';
import { Text } from '../report/parts/text.tsx';
import { PlanView } from '../report/plan.tsx';
import type { Service } from './service.ts';
import { StateTag } from './stacks.tsx';
import { timeOf } from './words.ts';

interface Props {
  readonly service: Service;
  readonly me: Me;
  readonly onSignIn: () => void;
  readonly name: string;
  readonly turn: Turn;
}

/** One stack: its state, its waiting plan, its history. */
export function StackView({ service, me, onSignIn, name, turn }: Props): VNode {
  const live = useReading({ key: `stack ${name}`, load: (signal) => service.stack(name, signal), onSignIn, turn });
  const [told, tell] = useState<string>();
  const attempt: Attempt = async (work) => {
    tell(undefined);
    try {
      await work();
    } catch (error) {
      if (error instanceof SignInNeeded) return onSignIn();
      tell(error instanceof Error ? error.message : String(error));
    }
    // Also after a refusal, because the shown state was outdated.
    turn.next();
  };
  const act: Act = (action, body) => attempt(() => service.act(name, action, body));
  return (
    <Shown of={live}>
      {(detail) => (
        <>
          <Head detail={detail} />
          {told !== undefined && (
            <p class="callout bad" role="alert">
              <Text of={told} />
            </p>
          )}
          {me.role === 'approve' && me.name !== undefined ? (
            <Actions detail={detail} act={act} />
          ) : (
            <p class="hint">To approve, to pause or to start a run, sign in with the role approve.</p>
          )}
          {detail.waiting !== undefined && (
            <Waiting key={detail.waiting.name} plan={detail.waiting} {...{ service, me, act, attempt }} />
          )}
          <Runs runs={detail.runs} />
          <Storage points={detail.storage} />
          <Earlier plans={detail.earlier} />
        </>
      )}
    </Shown>
  );
}

/** Performs an action, and shows an objection to it. */
type Attempt = (work: () => Promise<void>) => Promise<void>;
type Act = (action: Parameters<Service['act']>[1], body: object) => Promise<void>;

function Head({ detail: { summary } }: { readonly detail: StackDetail }): VNode {
  const { entry, state } = summary;
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ['mode', entry.mode],
    ['environment', entry.env],
    ['commit', state.commit?.slice(0, 12)],
    ['last run', whenOf(state.lastRunMs)],
    ['last success', whenOf(state.lastSuccessMs)],
    ['next run', whenOf(state.nextRunMs)],
    ['paused by', state.pause?.by],
    ['paused until', whenOf(state.pause?.untilMs)],
    ['after', entry.after.join(', ')],
  ];
  return (
    <section aria-labelledby="stack-title">
      <h1 id="stack-title">
        <Text of={entry.name} /> <StateTag state={state} />
      </h1>
      {state.because !== undefined && (
        <p>
          <Text of={state.because} />
        </p>
      )}
      <dl class="subject">
        {facts.map(
          ([word, value]) =>
            value !== undefined &&
            value !== '' && (
              <div key={word}>
                <dt>{word}</dt>
                <dd>{typeof value === 'string' ? <Text of={value} /> : value}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}

function whenOf(ms: number | undefined): VNode | undefined {
  return ms === undefined ? undefined : <When at={timeOf(ms)} />;
}

function Actions({ detail, act }: { readonly detail: StackDetail; readonly act: Act }): VNode {
  const [reason, setReason] = useState('');
  const [hours, setHours] = useState('');
  const { pause } = detail.summary.state;
  return (
    <div class="actions">
      <button type="button" onClick={() => act('now', {})}>
        Run now
      </button>
      {pause === undefined ? (
        <form
          aria-label="Pause"
          onSubmit={(event) => {
            event.preventDefault();
            void act('pause', { reason, ...(hours === '' ? {} : { hours: Number(hours) }) });
          }}
        >
          <label class="choice">
            <span>Reason</span>
            <input name="reason" required value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
          </label>
          <label class="choice">
            <span>Hours (none: until resumed)</span>
            <input
              name="hours"
              type="number"
              min="1"
              max="8784"
              value={hours}
              onInput={(event) => setHours(event.currentTarget.value)}
            />
          </label>
          <button type="submit">Pause</button>
        </form>
      ) : (
        <button type="button" onClick={() => act('resume', {})}>
          Resume
        </button>
      )}
    </div>
  );
}

interface WaitingProps {
  readonly service: Service;
  readonly plan: ShownPlan;
  readonly me: Me;
  readonly act: Act;
  readonly attempt: Attempt;
}

/** The waiting plan, as in a report, with its approvals. */
function Waiting({ plan, service, me, act, attempt }: WaitingProps): VNode {
  const { name, madeMs, approvals, blocked, shown, isYours } = plan;
  const [asked, ask] = useState(false);
  const counted = approvals.given.filter(({ uncounted }) => uncounted === undefined).length;
  const mayApprove = me.role === 'approve' && me.name !== undefined && blocked === undefined && !isYours;
  return (
    <>
      <section class="panel" aria-labelledby="waiting-title">
        <h2 id="waiting-title">A plan waits for approval</h2>
        <p>
          Plan <code>{name.slice(0, 12)}</code>, made <When at={timeOf(madeMs)} />, {counted} of {approvals.needed}{' '}
          approvals
        </p>
        {approvals.given.length > 0 && (
          <ul class="rows">
            {approvals.given.map(({ by, atMs, uncounted }) => (
              <li key={`${by} ${atMs}`}>
                <Text of={by} /> <When at={timeOf(atMs)} />
                {uncounted !== undefined && (
                  <span class="brief">
                    <span class="tag warn">does not count</span> <Text of={uncounted} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
        {blocked !== undefined && (
          <p class="callout warn">
            No approval helps: <Text of={blocked} />
          </p>
        )}
        {mayApprove && approvals.signed && <Signed {...{ service, plan, act, attempt }} />}
        {mayApprove && !approvals.signed && (
          <p class="actions">
            {asked ? (
              <>
                <button
                  type="button"
                  class="main"
                  onClick={() => act('approve', { plan: name }).then(() => ask(false))}
                >
                  Yes, approve this plan
                </button>
                <button type="button" onClick={() => ask(false)}>
                  No
                </button>
              </>
            ) : (
              <button type="button" class="main" onClick={() => ask(true)}>
                Approve
              </button>
            )}
          </p>
        )}
        {isYours && <p class="hint">You have approved it.</p>}
      </section>
      <PlanView plan={shown} printing={false} titled={false} />
    </>
  );
}

/** An approval that must be signed with a key, which a browser does not have. */
function Signed({ service, plan, act, attempt }: Omit<WaitingProps, 'me'>): VNode {
  const [signature, setSignature] = useState('');
  const { stack, name } = plan;
  async function download(): Promise<void> {
    const address = URL.createObjectURL(new Blob([await service.planFile(stack, name)], { type: 'application/json' }));
    const link = Object.assign(document.createElement('a'), { href: address, download: 'waiting.plan' });
    link.click();
    URL.revokeObjectURL(address);
  }
  return (
    <form
      class="actions"
      aria-label="Approve with a key"
      onSubmit={(event) => {
        event.preventDefault();
        void act('approve', { plan: name, signature: signature.trim() });
      }}
    >
      <p>
        It has to be signed with a key. Download the plan, run <code>gantry approve waiting.plan --sign KEY</code>, and
        put the line that it has added to <code>waiting.plan.sig</code> here.
      </p>
      <button type="button" onClick={() => attempt(download)}>
        Download the plan
      </button>
      <label class="choice">
        <span>Signature</span>
        <input
          name="signature"
          required
          value={signature}
          onInput={(event) => setSignature(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="main">
        Approve
      </button>
    </form>
  );
}

const runTones = { failed: 'bad', partly: 'bad', lost: 'warn', held: 'warn', drifted: 'level2', proposed: 'warn' };

function Runs({ runs }: { readonly runs: readonly RunRecord[] }): VNode {
  return (
    <section class="panel" aria-labelledby="runs-title">
      <h2 id="runs-title">Runs</h2>
      <ul class="rows">
        {runs.map(({ id, startMs, endMs, outcome, worker, commit, requests, error }) => (
          <li key={id}>
            <a href={`#/run/${encodeURIComponent(id)}`}>
              <When at={timeOf(startMs)} />
            </a>
            <span
              class={`tag ${outcome === undefined ? toneClass.faint : (new Map(Object.entries(runTones)).get(outcome) ?? 'good')}`}
            >
              {outcome ?? 'running'}
            </span>
            <span class="brief">
              {error !== undefined && <Text of={error.message} />}{' '}
              {commit !== undefined && <code>{commit.slice(0, 12)}</code>}
            </span>
            <span class="hint">
              {endMs !== undefined && `${duration(endMs - startMs)}, `}
              {requests !== undefined && `${requests.toLocaleString('en')} requests, `}
              <Text of={worker} />
            </span>
          </li>
        ))}
      </ul>
      {runs.length === 0 && <p class="hint">There was none yet.</p>}
      {runs.length > 0 && (
        <Plot
          title="How long they took"
          unit="s"
          series={[
            {
              word: 'seconds',
              tone: 'first',
              points: runs
                .flatMap(({ startMs, endMs }) =>
                  endMs === undefined ? [] : [[endMs, (endMs - startMs) / 1000] as const],
                )
                .toReversed(),
            },
          ]}
        />
      )}
    </section>
  );
}

function Storage({ points }: { readonly points: readonly StoragePoint[] }): VNode | null {
  if (points.every(({ gb }) => gb === 0)) return null;
  const currency = points.findLast((at) => at.currency !== undefined)?.currency;
  const gb: Series = { word: 'reserved', tone: 'first', stepped: true, points: points.map((at) => [at.atMs, at.gb]) };
  const priced = points.filter((at) => at.currency === currency && at.cost !== undefined);
  return (
    <section class="panel" aria-labelledby="storage-title">
      <h2 id="storage-title">Storage over time</h2>
      <Plot title="Storage" unit="GB" series={[gb]} />
      {currency !== undefined && (
        <Plot
          title="Its cost a month"
          unit={currency}
          series={[
            { word: 'cost', tone: 'second', stepped: true, points: priced.map((at) => [at.atMs, at.cost ?? 0]) },
          ]}
        />
      )}
    </section>
  );
}

function Earlier({ plans }: { readonly plans: StackDetail['earlier'] }): VNode | null {
  if (plans.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="earlier-title">
      <h2 id="earlier-title">Earlier plans</h2>
      <ul class="rows">
        {plans.map(({ name, madeMs, superseded, approvals }) => (
          <li key={name}>
            <code>{name.slice(0, 12)}</code> <When at={timeOf(madeMs)} />
            <span class="brief">
              {superseded === undefined ? (
                <Text of={`approved by ${approvals.given.map(({ by }) => by).join(', ')}`} />
              ) : (
                <>
                  <span class="tag warn">superseded</span> <Text of={superseded.because} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
